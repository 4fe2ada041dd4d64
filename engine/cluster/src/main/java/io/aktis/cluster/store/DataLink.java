package io.aktis.cluster.store;

import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.store.DataFrame.Request;
import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.cluster.store.Sources.Channels;
import io.aktis.cluster.store.Sources.Place;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ReadRequest;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of the streams that read an object: over the data port of a node where that can be used, by a
 * call of gRPC otherwise. Used by one thread at a time, which closes it.
 */
final class DataLink implements AutoCloseable {
  private final ObjectId id;
  private final Channels channels;
  private final DataPaths paths;
  private final int stream;
  private final Set<String> byCalls = new HashSet<>();
  private @Nullable DataConnection connection;
  private String connectedTo = "";

  /**
   * Reads nothing yet.
   *
   * @param stream which of the streams
   */
  DataLink(ObjectId id, Channels channels, DataPaths paths, int stream) {
    this.id = id;
    this.channels = channels;
    this.paths = paths;
    this.stream = stream;
  }

  /**
   * Begins to read a part; the one before is closed.
   *
   * @throws IOException when the connection broke
   */
  Part read(Place place, Piece piece) throws IOException, InterruptedException {
    DataConnection usable = connection(place.address());
    return usable == null
        ? readByCall(place, piece)
        : usable.read(new Request(piece, place.presentOnly()));
  }

  /** Begins to read a part by a call. */
  Part readByCall(Place place, Piece piece) {
    ReadRequest request =
        ReadRequest.newBuilder()
            .setObject(WireIds.of(id))
            .setOffset(piece.offset())
            .setLengthBytes(piece.length())
            .setPresentOnly(place.presentOnly())
            .build();
    return new PartReader(channels.to(place.address(), stream), request);
  }

  private @Nullable DataConnection connection(String address) throws InterruptedException {
    DataConnection last = connection;
    if (last != null && last.isOpen() && connectedTo.equals(address)) {
      return last;
    }
    close();
    if (byCalls.contains(address)) {
      return null;
    }
    RpcChannel node = channels.to(address, 0);
    DataConnection opened = paths.open(node, id);
    if (opened == null) {
      byCalls.add(address);
    }
    connection = opened;
    connectedTo = address;
    return opened;
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
