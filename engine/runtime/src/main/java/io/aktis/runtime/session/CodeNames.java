package io.aktis.runtime.session;

import io.aktis.function.Invocable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;

/**
 * The names of code as people know it: {@code Primes.count} for a method reference, {@code
 * Primes.lambda} for a lambda in that class. Found once a class. Thread-safe.
 */
final class CodeNames {
  private static final ClassValue<Method[]> WRITE_REPLACE =
      new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
          try {
            Method method = type.getDeclaredMethod("writeReplace");
            method.setAccessible(true);
            return new Method[] {method};
          } catch (NoSuchMethodException | RuntimeException e) {
            return new Method[0]; // not a lambda, or closed to us: its class name has to do
          }
        }
      };

  private static final ClassValue<String[]> NAMES =
      new ClassValue<>() {
        @Override
        protected String[] computeValue(Class<?> type) {
          return new String[1];
        }
      };

  private CodeNames() {}

  static String of(Invocable code) {
    String[] cached = NAMES.get(code.getClass());
    String name = cached[0];
    if (name == null) {
      name = find(code);
      cached[0] = name;
    }
    return name;
  }

  private static String find(Invocable code) {
    Method[] replace = WRITE_REPLACE.get(code.getClass());
    if (replace.length == 1) {
      try {
        if (replace[0].invoke(code) instanceof SerializedLambda lambda) {
          return name(lambda);
        }
      } catch (ReflectiveOperationException e) {
        return simpleName(code.getClass().getName());
      }
    }
    return simpleName(code.getClass().getName());
  }

  private static String name(SerializedLambda lambda) {
    String owner = simpleName(lambda.getImplClass().replace('/', '.'));
    String method = lambda.getImplMethodName();
    if (method.equals("<init>")) {
      return owner;
    }
    return owner + "." + (method.startsWith("lambda$") ? "lambda" : method);
  }

  private static String simpleName(String className) {
    String simple = className.substring(className.lastIndexOf('.') + 1);
    int lambda = simple.indexOf("$$Lambda");
    return (lambda > 0 ? simple.substring(0, lambda) : simple).replace('$', '.');
  }
}
