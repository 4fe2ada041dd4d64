package io.aktis.wire.value;

/** What can be told about a class from where it comes from. */
final class Jdk {
  private Jdk() {}

  /** Returns whether the class is a part of the JDK itself. */
  static boolean owns(Class<?> type) {
    Module module = type.getModule();
    if (!module.isNamed()) {
      return false;
    }
    String name = module.getName();
    boolean proxy = name.startsWith("jdk.proxy");
    return name.startsWith("java.") || (name.startsWith("jdk.") && !proxy);
  }

  /** Returns whether the class was made by the JDK for a lambda or a method reference. */
  static boolean isLambda(Class<?> type) {
    return type.isHidden() && type.getName().contains("$$Lambda");
  }

  /** Returns the class in whose code the lambda of that class was written. */
  static String lambdaHost(Class<?> lambda) {
    String name = lambda.getName();
    return name.substring(0, name.indexOf("$$Lambda"));
  }

  /** Returns whether the values are enum constants, with or without a body. */
  static boolean isEnum(Class<?> type) {
    return Enum.class.isAssignableFrom(type);
  }
}
