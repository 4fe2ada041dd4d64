package io.aktis.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.link.Frame;
import io.aktis.core.link.LinkEffect;
import io.aktis.core.link.LinkEvent;
import io.aktis.core.link.ReliableLink;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.placement.PlacementEffect;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Puts bugs into the simulated cluster, of the kind that a hurried change makes, and expects that a
 * rule is seen broken soon: so the simulation is known to look.
 */
class PlantedBugTest {
  private static final int MAX_SEEDS = 300;

  @Test
  void duplicateCheck_droppedInALink_isFound() {
    assertFound(
        new Tampering() {
          @Override
          public Connection.Wire wire(ReliableLink<Message> link) {
            return deliveringTwice(link);
          }
        });
  }

  @Test
  void lease_neverGivenBack_isFound() {
    assertFound(without(OwnerEffect.GiveBack.class));
  }

  @Test
  void calls_ofAnOrderedActorRunAsTheyCome_areFound() {
    assertFound(
        new Tampering() {
          @Override
          public boolean runsCallsAtOnce() {
            return true;
          }
        });
  }

  @Test
  void cpu_notTakenBackAfterAWait_isFound() {
    assertFound(
        new Tampering() {
          @Override
          public Message toNode(Message message) {
            return message instanceof Message.Unblock unblock ? unblock.wake() : message;
          }
        });
  }

  @Test
  void loss_neverCharged_isFound() {
    assertFound(
        new Tampering() {
          @Override
          public OwnerEvent ownerEvent(OwnerEvent event) {
            return event instanceof OwnerEvent.LeaseLost lost
                ? new OwnerEvent.LeaseLost(lost.lease(), lost.loss(), List.of(), lost.failure())
                : event;
          }
        });
  }

  @Test
  void copy_ofAReleasedObjectKept_isFound() {
    assertFound(without(OwnerEffect.DeleteCopy.class));
  }

  @Test
  void bundles_ofARemovedGroupKept_areFound() {
    assertFound(
        new Tampering() {
          @Override
          public @Nullable PlacementEffect placementEffect(PlacementEffect effect) {
            return effect instanceof PlacementEffect.SendRemove ? null : effect;
          }
        });
  }

  /** Never carries effects of a kind out. */
  private static Tampering without(Class<? extends OwnerEffect> kind) {
    return new Tampering() {
      @Override
      public @Nullable OwnerEffect ownerEffect(OwnerEffect effect) {
        return kind.isInstance(effect) ? null : effect;
      }
    };
  }

  /** Hands a message over again when its frame comes a second time. */
  private static Connection.Wire deliveringTwice(ReliableLink<Message> link) {
    Set<Frame<Message>> seen = new HashSet<>();
    return (event, effects) -> {
      link.on(event, effects);
      if (event instanceof LinkEvent.Received<Message> received
          && received.frame().message() != null
          && !seen.add(received.frame())) {
        effects.accept(new LinkEffect.Deliver<>(received.frame().message()));
      }
    };
  }

  private static void assertFound(Tampering bug) {
    int seed = 1;
    while (seed <= MAX_SEEDS && !breaksARule(seed, bug)) {
      seed++;
    }
    assertThat(seed).as("the first seed that shows the bug").isLessThanOrEqualTo(MAX_SEEDS);
  }

  private static boolean breaksARule(long seed, Tampering bug) {
    try {
      new Simulation(seed, bug).run();
      return false;
    } catch (Violation found) {
      return true;
    }
  }
}
