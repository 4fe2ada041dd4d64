package io.aktis.runtime.session;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.port.Location;
import io.aktis.wire.message.Failure;
import io.aktis.wire.message.Stored;
import io.aktis.wire.value.Encoded;
import io.aktis.wire.value.HandleId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values and outcomes as messages carry them, and back. Thread-safe. */
final class WireOutcomes {
  private final Values values;
  private final Tokens tokens;

  WireOutcomes(Values values, Tokens tokens) {
    this.values = values;
    this.tokens = tokens;
  }

  // ---- values ---------------------------------------------------------------------------------

  /** Returns the bytes of a kept value. */
  ByteString bytes(Object kept) {
    if (kept instanceof Encoded encoded) {
      return UnsafeByteOperations.unsafeWrap(encoded.bytes());
    }
    Object value = kept instanceof SharedValue shared ? shared.value() : kept;
    return UnsafeByteOperations.unsafeWrap(values.codec().encode(value).toBytes());
  }

  /** Returns a value that arrived in the form in which it is kept. */
  Encoded kept(ByteString bytes) {
    Encoded encoded = Encoded.open(bytes.toByteArray());
    return encoded.handleIds().isEmpty()
        ? encoded
        : encoded.withTokens(tokens(encoded.handleIds()));
  }

  private List<Object> tokens(List<HandleId> ids) {
    List<Object> found = new ArrayList<>(ids.size());
    for (HandleId id : ids) {
      found.add(tokens.token(id));
    }
    return found;
  }

  // ---- outcomes -------------------------------------------------------------------------------

  io.aktis.wire.message.Outcome message(Outcome outcome) {
    var message = io.aktis.wire.message.Outcome.newBuilder();
    switch (outcome) {
      case Outcome.Inline inline -> message.setValue(bytes(inline.value()));
      case Outcome.Stored stored -> message.setStored(message(stored));
      case Outcome.Failure failure -> message.setFailure(message(failure));
    }
    return message.build();
  }

  Stored message(Outcome.Stored stored) {
    StoredValue value = (StoredValue) stored.value();
    Stored.Builder message =
        Stored.newBuilder()
            .setNode(WireIds.of(stored.node()))
            .setSizeBytes(stored.sizeBytes())
            .setAddress(value.at().address())
            .setObject(WireIds.of(value.id()));
    for (HandleId id : value.handles()) {
      message.addHandles(
          io.aktis.wire.message.HandleId.newBuilder()
              .setKind(id.kind())
              .setHigh(id.high())
              .setLow(id.low()));
    }
    return message.build();
  }

  Failure message(Outcome.Failure failure) {
    Failure.Builder message =
        Failure.newBuilder()
            .setKind(failure.kind().name())
            .setMessage(failure.message())
            .setAttempts(failure.attempts())
            .addAllStory(failure.story())
            .addAllDetails(failure.details());
    if (failure.cause() != null) {
      message.setCause(bytes(failure.cause()));
    }
    return message.build();
  }

  /** Returns an outcome that arrived. */
  Outcome outcome(io.aktis.wire.message.Outcome message) {
    return switch (message.getWhatCase()) {
      case VALUE -> {
        Encoded encoded = kept(message.getValue());
        yield new Outcome.Inline(encoded, Values.containedIn(encoded.exported()));
      }
      case STORED -> stored(message.getStored());
      case FAILURE -> failure(message.getFailure());
      case WHAT_NOT_SET -> throw new IllegalArgumentException("an outcome without anything in it");
    };
  }

  private Outcome stored(Stored message) {
    List<HandleId> handles =
        message.getHandlesList().stream()
            .map(each -> new HandleId((byte) each.getKind(), each.getHigh(), each.getLow()))
            .toList();
    List<Object> found = tokens(handles);
    Location at = new Location(WireIds.node(message.getNode()), message.getAddress());
    return new Outcome.Stored(
        new StoredValue(at, WireIds.object(message.getObject()), handles, found),
        at.node(),
        message.getSizeBytes(),
        Values.containedIn(found));
  }

  Outcome.Failure failure(Failure message) {
    return new Outcome.Failure(
        FailureKind.valueOf(message.getKind()),
        message.getMessage(),
        cause(message.getCause()),
        message.getAttempts(),
        message.getStoryList(),
        message.getDetailsList());
  }

  private @Nullable Object cause(ByteString bytes) {
    return bytes.isEmpty() ? null : kept(bytes);
  }
}
