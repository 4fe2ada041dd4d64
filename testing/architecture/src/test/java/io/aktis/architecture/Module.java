package io.aktis.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The modules, their root packages, and the arrows between them. */
enum Module {
  API("io.aktis"),
  CORE("io.aktis.core", API),
  WIRE("io.aktis.wire", CORE),
  STORE("io.aktis.store", CORE),
  RUNTIME("io.aktis.runtime", STORE, WIRE),
  MACRO("io.aktis.benchmarks.macro", RUNTIME),
  CLUSTER("io.aktis.cluster", RUNTIME),
  CLI("io.aktis.cli", CLUSTER, MACRO),
  TESTKIT("io.aktis.testkit", CLUSTER),
  SIMULATION("io.aktis.simulation", RUNTIME),
  EXAMPLES("io.aktis.examples", API);

  private final String rootPackage;
  private final Set<Module> reach;

  /** An arrow leads on: who may use the runtime may use what the runtime uses. */
  Module(String rootPackage, Module... arrows) {
    this.rootPackage = rootPackage;
    this.reach = new HashSet<>(Set.of(this));
    for (Module arrow : arrows) {
      reach.addAll(arrow.reach);
    }
  }

  /** Returns the module of a class of ours: the one whose root package is the longest match. */
  static Module of(JavaClass type) {
    return Arrays.stream(values())
        .filter(module -> module.holds(type.getPackageName()))
        .reduce((a, b) -> a.rootPackage.length() > b.rootPackage.length() ? a : b)
        .orElseThrow(() -> new IllegalArgumentException("not ours: " + type.getName()));
  }

  String rootPackage() {
    return rootPackage;
  }

  boolean mayUse(Module other) {
    return reach.contains(other);
  }

  private boolean holds(String packageName) {
    return packageName.equals(rootPackage) || packageName.startsWith(rootPackage + ".");
  }
}
