package io.aktis.cluster.driver;

import io.aktis.AktisSession;
import io.aktis.SessionOptions;
import io.aktis.cluster.session.ClusterAccess;
import io.aktis.cluster.session.LocalCluster;
import io.aktis.spi.EngineProvider;

/** Opens sessions on clusters: for addresses like {@code aktis://host:port}, and {@code auto}. */
public final class ClusterProvider implements EngineProvider {
  private static final String SCHEME = "aktis://";

  /** Made by the service loader. */
  public ClusterProvider() {}

  @Override
  public boolean accepts(String address) {
    return address.equals(LocalCluster.AUTO) || address.startsWith(SCHEME);
  }

  /**
   * Opens a session; returns when the cluster has taken the job.
   *
   * @throws IllegalArgumentException when the address is none
   * @throws IllegalStateException when there is no such cluster, or it refuses; the message says
   *     why
   */
  @Override
  public AktisSession open(SessionOptions options) {
    ClusterAccess access = LocalCluster.find(options.address());
    return DriverConnection.open(options, access);
  }
}
