package io.aktis.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;

/** What the decisions of the engine may not touch, so that a seed replays them. */
@AnalyzeClasses(packages = "io.aktis.core", importOptions = MainClasses.class)
final class PurityTest {
  private static final String EVENTS =
      "a decision follows from state and event; time and chance arrive as fields of events";

  private static final Set<String> TIME_AND_CHANCE =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.identityHashCode",
          "java.lang.Math.random",
          "java.lang.StrictMath.random",
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.util.UUID.randomUUID",
          "java.util.Date.<init>");

  private static final Set<String> ORDER_THAT_DIFFERS_PER_RUN =
      Set.of(
          "java.util.HashMap.<init>",
          "java.util.HashMap.newHashMap",
          "java.util.HashSet.<init>",
          "java.util.HashSet.newHashSet",
          "java.util.IdentityHashMap.<init>",
          "java.util.WeakHashMap.<init>",
          "java.util.Map.of",
          "java.util.Map.ofEntries",
          "java.util.Map.copyOf",
          "java.util.Set.of",
          "java.util.Set.copyOf",
          "java.util.stream.Collectors.toMap",
          "java.util.stream.Collectors.toSet",
          "java.util.stream.Collectors.toUnmodifiableMap",
          "java.util.stream.Collectors.toUnmodifiableSet",
          "java.util.stream.Collectors.groupingBy",
          "java.util.stream.Collectors.partitioningBy");

  @ArchTest
  static final ArchRule core_whenItDecides_readsNoClockAndNoChance =
      noClasses().should(reach("a clock or chance", TIME_AND_CHANCE)).because(EVENTS);

  @ArchTest
  static final ArchRule core_whenItIterates_hasAnOrderThatRepeats =
      noClasses()
          .should(reach("an order that differs per run", ORDER_THAT_DIFFERS_PER_RUN))
          .because("lists, EnumMap, LinkedHashMap and sorted maps replay; hashed ones do not");

  @ArchTest
  static final ArchRule core_whenItActs_hasNoThreadSocketOrFile =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.net..",
              "java.nio.channels..",
              "java.nio.file..",
              "java.security..",
              "java.util.concurrent..",
              "java.util.random..",
              "java.util.logging..",
              "org.slf4j..")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.io\\..*(Stream|Reader|Writer|File)")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.lang\\.(Thread|ThreadLocal|ScopedValue|Process|ProcessBuilder|Runtime)")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.(Random|SplittableRandom|Timer|TimerTask)")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.time\\.(Clock|InstantSource)")
          .because("the shell carries the effects out; " + EVENTS);

  private PurityTest() {}

  private static ArchCondition<JavaClass> reach(String what, Set<String> members) {
    return new ArchCondition<>("reach " + what) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
          String member = access.getTargetOwner().getName() + "." + access.getName();
          events.add(
              new SimpleConditionEvent(access, members.contains(member), access.getDescription()));
        }
      }
    };
  }
}
