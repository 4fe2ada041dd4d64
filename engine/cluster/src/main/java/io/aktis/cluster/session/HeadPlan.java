package io.aktis.cluster.session;

import io.aktis.cluster.control.ControlPlace;
import io.aktis.cluster.control.ControlStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which session a node is of, and where its control store is. A head goes on with the session of
 * its control store, where that has one. Immutable; making one waits.
 *
 * @param session the id of the session
 * @param control the control store, if the node can be the head
 * @param isKnown whether the session was there before this node
 */
record HeadPlan(String session, Optional<ControlPlace> control, boolean isKnown) {
  /** Names the control store where no option does, so that no password is in a command line. */
  static final String VARIABLE = "AKTIS_CONTROL_STORE";

  /**
   * Plans a node that starts a cluster, or goes on with one as its head.
   *
   * @param chosen where its control store is to be; {@code null} for the directory of the session
   * @throws IllegalStateException when the control store cannot be used
   */
  static HeadPlan ofHead(SessionDirectory directory, @Nullable ControlPlace chosen) {
    ControlPlace named = chosen != null ? chosen : fromEnvironment().orElse(null);
    String fresh = newSession();
    if (named == null) {
      Optional<String> before = directory.resumable();
      String session = before.orElse(fresh);
      ControlPlace place = ControlPlace.ofDirectory(directory.control(session));
      return new HeadPlan(session, Optional.of(place), before.isPresent());
    }
    String session = fresh;
    Optional<Path> folder = named.directory();
    if (named.isShared()) {
      session = sharedSession(named, fresh);
    } else if (folder.isPresent()) {
      session = directory.sessionOf(folder.get(), fresh);
    }
    if (!isSession(session)) {
      throw new IllegalStateException(
          "the control store " + named + " tells '" + session + "' as its session, which is no id");
    }
    return new HeadPlan(session, Optional.of(named), !session.equals(fresh));
  }

  /**
   * Plans a node that joins.
   *
   * @param session that of the cluster
   * @param chosen the control store; {@code null} for that of the environment, if one is there that
   *     several nodes can share
   */
  static HeadPlan ofJoining(String session, @Nullable ControlPlace chosen) {
    Optional<ControlPlace> control =
        chosen != null ? Optional.of(chosen) : fromEnvironment().filter(ControlPlace::isShared);
    return new HeadPlan(session, control, true);
  }

  private static Optional<ControlPlace> fromEnvironment() {
    String given = System.getenv(VARIABLE);
    return given == null || given.isBlank()
        ? Optional.empty()
        : Optional.of(ControlPlace.parse(given));
  }

  private static String sharedSession(ControlPlace place, String fresh) {
    try {
      Path scratch = Files.createTempDirectory("aktis-control");
      try (ControlStore store = place.open(scratch)) {
        return store.session(fresh);
      } finally {
        NodeDirectory.deleteAll(scratch);
      }
    } catch (IOException e) {
      throw new IllegalStateException(SessionDirectory.reason(e), e);
    }
  }

  private static String newSession() {
    byte[] bytes = new byte[6];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Tells whether a text can be the id of a session, and so the name of a directory. */
  static boolean isSession(String text) {
    return text.matches("[A-Za-z0-9-]{1,64}");
  }
}
