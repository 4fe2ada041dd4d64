package io.aktis.cluster.code;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The main method of a class, found as the {@code java} command finds it: {@code main(String[])}
 * before {@code main()}, static or of an instance, not private, inherited ones included. Immutable.
 */
public final class MainMethod {
  private final Class<?> type;
  private final Method method;

  private MainMethod(Class<?> type, Method method) {
    this.type = type;
    this.method = method;
  }

  /** Finds the main method of a class, empty if it has none. */
  public static Optional<MainMethod> of(Class<?> type) {
    return find(type, String[].class)
        .or(() -> find(type))
        .map(method -> new MainMethod(type, method));
  }

  private static Optional<Method> find(Class<?> type, Class<?>... parameters) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      try {
        Method method = c.getDeclaredMethod("main", parameters);
        if (method.getReturnType() == void.class && !Modifier.isPrivate(method.getModifiers())) {
          return Optional.of(method);
        }
      } catch (NoSuchMethodException e) {
        // look in the superclass
      }
    }
    return Optional.empty();
  }

  /** Returns the name of the class that was searched, as {@link Class#getName} tells it. */
  public String className() {
    return type.getName();
  }

  /** Calls it on the calling thread; throws whatever it throws. */
  public void invoke(String[] arguments) throws Throwable {
    method.setAccessible(true);
    Object[] passed = method.getParameterCount() == 0 ? new Object[0] : new Object[] {arguments};
    try {
      method.invoke(receiver(), passed);
    } catch (InvocationTargetException e) {
      throw e.getCause() != null ? e.getCause() : e;
    }
  }

  private @Nullable Object receiver() throws ReflectiveOperationException {
    if (Modifier.isStatic(method.getModifiers())) {
      return null;
    }
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }
}
