package io.aktis.cluster.membership;

import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.DowningProvider;
import org.apache.pekko.cluster.sbr.SplitBrainResolver;
import org.apache.pekko.cluster.sbr.SplitBrainResolverSettings;
import scala.Option;
import scala.Some;
import scala.concurrent.duration.FiniteDuration;

/** Lets Pekko's split-brain resolver decide by {@link HeadMajority}. Named in pekko.conf. */
final class HeadMajorityProvider extends DowningProvider {
  private final Cluster cluster;
  private final SplitBrainResolverSettings settings;

  /** Called by Pekko. */
  HeadMajorityProvider(ActorSystem system) {
    this.cluster = Cluster.get(system);
    this.settings = new SplitBrainResolverSettings(system.settings().config());
  }

  @Override
  public FiniteDuration downRemovalMargin() {
    return settings.DowningStableAfter();
  }

  @Override
  public Option<Props> downingActorProps() {
    HeadMajority strategy = new HeadMajority(cluster.selfDataCenter(), cluster.selfUniqueAddress());
    return new Some<>(SplitBrainResolver.props(settings.DowningStableAfter(), strategy));
  }
}
