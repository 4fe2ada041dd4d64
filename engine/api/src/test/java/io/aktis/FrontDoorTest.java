package io.aktis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The doors to an engine, static and not, for tasks and for calls, offer the same. */
final class FrontDoorTest {
  /** What a session says of itself, and the end of it, have other forms in the static door. */
  private static final Set<String> ONLY_OF_A_SESSION =
      Set.of("id", "namespace", "isClosed", "cluster", "close", "engine");

  @Test
  void aktis_offersAllThatASessionDoes() {
    Set<String> offered =
        methods(Aktis.class)
            .filter(method -> Modifier.isStatic(method.getModifiers()))
            .map(FrontDoorTest::signature)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> wanted =
        Stream.concat(methods(AktisSession.class), methods(TaskFactory.class))
            .filter(method -> !ONLY_OF_A_SESSION.contains(method.getName()))
            .map(FrontDoorTest::signature)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(wanted).hasSizeGreaterThan(70);
    assertThat(offered).containsAll(wanted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "stream", "actor"})
  void factory_takesTheSameArgumentsForAll(String name) {
    assertThat(arguments(TaskFactory.class, name)).isEqualTo(arguments(TaskFactory.class, "task"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "run"})
  void handle_takesTheArgumentsOfTasksBesideTheActor(String name) {
    assertThat(arguments(ActorMethods.class, name)).isEqualTo(arguments(TaskFactory.class, "task"));
  }

  private static Stream<Method> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic());
  }

  private static String signature(Method method) {
    List<Type> parameters = List.of(method.getGenericParameterTypes());
    return method.getName() + parameters + " " + method.getGenericReturnType();
  }

  /** Returns the patterns of arguments after the function: v for a value, r for a reference. */
  private static Set<String> arguments(Class<?> type, String name) {
    return methods(type)
        .filter(method -> method.getName().equals(name))
        .map(FrontDoorTest::pattern)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String pattern(Method method) {
    return Arrays.stream(method.getGenericParameterTypes())
        .skip(1)
        .map(type -> isReference(type) ? "r" : "v")
        .collect(Collectors.joining());
  }

  private static boolean isReference(Type type) {
    return type instanceof ParameterizedType generic && generic.getRawType() == Arg.class;
  }
}
