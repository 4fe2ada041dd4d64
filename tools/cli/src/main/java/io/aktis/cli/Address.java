package io.aktis.cli;

import io.aktis.cluster.session.ClusterAddress;
import io.aktis.cluster.session.LocalCluster;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the address of an engine is written on the command line, and in {@code AKTIS_ADDRESS}. */
final class Address {
  /** The address of an engine in the program's own JVM. */
  static final String LOCAL = "local";

  private static final String SCHEME = "aktis://";

  private Address() {}

  /** Returns what the environment says; {@code other} if it says nothing. */
  static String fromEnvironment(String other) {
    String address = System.getenv("AKTIS_ADDRESS");
    return address == null || address.isBlank() ? other : address;
  }

  /** Where a program's engine is: {@code local}, {@code auto}, or a host and a port. */
  static final class OfEngine implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return text.equals(LOCAL) ? text : new OfCluster().convert(text);
    }
  }

  /** Where a cluster is: {@code auto}, or a host and a port. */
  static final class OfCluster implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.equals(LocalCluster.AUTO)) {
        return text;
      }
      try {
        return SCHEME + ClusterAddress.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
