package io.aktis.conformance.messages;

import io.aktis.AktisSession;
import io.aktis.SessionOptions;
import io.aktis.spi.EngineProvider;

/** Opens sessions for the address {@code local:messages}. */
public final class MessagesProvider implements EngineProvider {
  static final String ADDRESS = "local:messages";

  /** Made by the service loader. */
  public MessagesProvider() {}

  @Override
  public boolean accepts(String address) {
    return address.equals(ADDRESS);
  }

  @Override
  public AktisSession open(SessionOptions options) {
    return MessagesCluster.start(options).session();
  }
}
