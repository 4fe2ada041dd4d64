package io.aktis.runtime.session;

import io.aktis.AktisSession;
import io.aktis.SessionOptions;
import io.aktis.spi.EngineProvider;

/** Opens sessions for the address {@code local}: the engine in this JVM. */
public final class EmbeddedProvider implements EngineProvider {
  /** Made by the service loader. */
  public EmbeddedProvider() {}

  @Override
  public boolean accepts(String address) {
    return address.equals("local");
  }

  @Override
  public AktisSession open(SessionOptions options) {
    return Session.start(options);
  }
}
