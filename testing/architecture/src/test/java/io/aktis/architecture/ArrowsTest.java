package io.aktis.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.jspecify.annotations.NullMarked;

/** Who may know whom. */
@AnalyzeClasses(packages = "io.aktis", importOptions = MainClasses.class)
final class ArrowsTest {
  @ArchTest
  static final ArchRule modules_whenTheyUseEachOther_followTheArrows =
      classes()
          .should(followTheArrows())
          .because("cli -> runtime -> store, wire -> core -> api, and examples see api alone");

  @ArchTest
  static final ArchRule packages_whenTheyUseEachOther_haveNoCycles =
      slices()
          .assignedFrom(onePerPackage())
          .should()
          .beFreeOfCycles()
          .because("a package that cannot be read alone is not a package");

  @ArchTest
  static final ArchRule arrow_libraryOfThePrograms_isKnownToOnePackageThatNobodyLinks =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.aktis.wire.arrow")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.arrow..", "io.aktis.wire.arrow")
          .because("those classes are defined beside the Arrow of a program, not in the engine");

  @ArchTest
  static final ArchRule packages_underTheirModule_areFlat =
      classes()
          .should(residesAtMostOneLevelUnderItsModule())
          .because("a package that wants children usually wants to be a module");

  @ArchTest
  static final ArchRule packages_ofOurs_areNullMarked =
      classes()
          .that()
          .resideOutsideOfPackage("io.aktis.wire.message") // generated
          .should(resideInNullMarkedPackage())
          .because("a type without a mark may be null, and nobody would know");

  private ArrowsTest() {}

  private static ArchCondition<JavaClass> followTheArrows() {
    return new ArchCondition<>("follow the arrows") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        Module from = Module.of(type);
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          if (isOurs(target) && !from.mayUse(Module.of(target))) {
            events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
          }
        }
      }
    };
  }

  private static ArchCondition<JavaClass> residesAtMostOneLevelUnderItsModule() {
    return new ArchCondition<>("reside at most one level under the root package of its module") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String below = type.getPackageName().substring(Module.of(type).rootPackage().length());
        if (below.lastIndexOf('.') > 0) {
          events.add(SimpleConditionEvent.violated(type, type.getName() + " is too deep"));
        }
      }
    };
  }

  private static ArchCondition<JavaClass> resideInNullMarkedPackage() {
    return new ArchCondition<>("reside in a package whose package-info has @NullMarked") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
          events.add(
              SimpleConditionEvent.violated(type, type.getPackageName() + " has no @NullMarked"));
        }
      }
    };
  }

  private static SliceAssignment onePerPackage() {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return isOurs(type)
            ? SliceIdentifier.of(withItsSpi(type.getPackageName()))
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "packages";
      }
    };
  }

  /** The front door and what stands behind it are one contract, told from two sides. */
  private static String withItsSpi(String packageName) {
    return packageName.equals("io.aktis.spi") ? "io.aktis" : packageName;
  }

  private static boolean isOurs(JavaClass type) {
    return type.getPackageName().equals("io.aktis")
        || type.getPackageName().startsWith("io.aktis.");
  }
}
