package io.aktis.runtime.session;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the engine writes what nobody waits to be told. A class of its own, so that the logging of
 * the program is looked for with the first message and not with the start of a session.
 */
final class Log {
  static final Logger LOG = LoggerFactory.getLogger("io.aktis.runtime");

  private Log() {}
}
