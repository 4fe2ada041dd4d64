package io.aktis.cluster.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A control store in a Redis, which all that can be the head open. A script compares the epoch and
 * makes the changes, which Redis does as one step. Thread-safe.
 *
 * <pre>
 * {aktis}:epoch          the epoch, as text
 * {aktis}:session        the session
 * {aktis}:table:TABLE    a hash: the keys of a table and their values
 * </pre>
 *
 * <p>The braces keep all keys on one node of a Redis Cluster. A command that was sent may be sent
 * again after a broken connection: all of them may come twice.
 */
final class RedisControlStore implements ControlStore {
  private static final String EPOCH = "{aktis}:epoch";
  private static final String SESSION = "{aktis}:session";
  private static final String TABLE = "{aktis}:table:";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Half of what clients of the head wait for an answer. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private static final String DONE = "done";

  /**
   * Keys: the epoch, then the tables. Arguments: the epoch that is wanted, the next one; then for
   * each change the number of its table, its key, 1 for a value and 0 for none, the value.
   */
  private static final String SCRIPT =
      """
      local epoch = redis.call('GET', KEYS[1]) or '0'
      if epoch ~= ARGV[1] then
        return epoch
      end
      for i = 3, #ARGV, 4 do
        local table = KEYS[tonumber(ARGV[i])]
        if ARGV[i + 2] == '1' then
          redis.call('HSET', table, ARGV[i + 1], ARGV[i + 3])
        else
          redis.call('HDEL', table, ARGV[i + 1])
        end
      end
      if ARGV[2] ~= epoch then
        redis.call('SET', KEYS[1], ARGV[2])
      end
      return 'done'
      """;

  private final String name;
  private final RedisClient client;
  private final StatefulRedisConnection<String, byte[]> connection;

  private RedisControlStore(
      String name, RedisClient client, StatefulRedisConnection<String, byte[]> connection) {
    this.name = name;
    this.client = client;
    this.connection = connection;
  }

  /**
   * Connects to a Redis.
   *
   * @throws IOException when it cannot be reached, or refuses; the message says why
   */
  static RedisControlStore open(RedisAddress address) throws IOException {
    RedisClient client = RedisClient.create(uri(address));
    client.setOptions(options(address));
    try {
      return new RedisControlStore(
          address.toString(),
          client,
          client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)));
    } catch (RedisException e) {
      close(client);
      throw failure(address.toString(), e);
    }
  }

  private static RedisURI uri(RedisAddress address) {
    RedisURI.Builder uri =
        RedisURI.Builder.redis(address.host(), address.port())
            .withDatabase(address.database())
            .withSsl(address.tls())
            .withTimeout(TIMEOUT);
    if (!address.password().isEmpty() && address.user().isEmpty()) {
      uri.withPassword(address.password().toCharArray());
    } else if (!address.password().isEmpty()) {
      uri.withAuthentication(address.user(), address.password().toCharArray());
    }
    return uri.build();
  }

  private static ClientOptions options(RedisAddress address) {
    ClientOptions.Builder options =
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .socketOptions(
                SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).keepAlive(true).build())
            .timeoutOptions(TimeoutOptions.enabled(TIMEOUT));
    address
        .ca()
        .ifPresent(ca ->
            options.sslOptions(
                SslOptions.builder().jdkSslProvider().trustManager(new File(ca)).build()));
    return options.build();
  }

  private static IOException failure(String name, RedisException e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String words = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return new IOException("the control store at " + name + " does not work: " + words, e);
  }

  private <T> T ask(Function<RedisCommands<String, byte[]>, T> question) throws IOException {
    try {
      return question.apply(connection.sync());
    } catch (RedisException e) {
      throw failure(name, e);
    }
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public String session(String proposed) throws IOException {
    return ask(redis -> {
      if (!proposed.isEmpty()) {
        redis.set(SESSION, proposed.getBytes(UTF_8), SetArgs.Builder.nx());
      }
      byte[] session = redis.get(SESSION);
      return session == null ? "" : new String(session, UTF_8);
    });
  }

  @Override
  public long epoch() throws IOException {
    return ask(redis -> {
      byte[] epoch = redis.get(EPOCH);
      return epoch == null ? 0 : Long.parseLong(new String(epoch, UTF_8));
    });
  }

  @Override
  public SortedMap<String, ByteString> read(String table) throws IOException {
    SortedMap<String, ByteString> found = new TreeMap<>();
    ask(redis -> redis.hgetall(TABLE + table))
        .forEach((key, value) -> found.put(key, ByteString.copyFrom(value)));
    return found;
  }

  @Override
  public boolean claim(long seen, ControlBatch batch) throws IOException {
    return run(seen, seen + 1, batch).equals(DONE);
  }

  @Override
  public void write(long epoch, ControlBatch batch) throws IOException {
    String answer = run(epoch, epoch, batch);
    if (!answer.equals(DONE)) {
      throw new FencedException(epoch, Long.parseLong(answer));
    }
  }

  private String run(long epoch, long next, ControlBatch batch) throws IOException {
    List<String> keys = new ArrayList<>(List.of(EPOCH));
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(text(Long.toString(epoch)));
    arguments.add(text(Long.toString(next)));
    for (ControlBatch.Change change : batch.changes()) {
      String table = TABLE + change.table();
      if (!keys.contains(table)) {
        keys.add(table);
      }
      ByteString value = change.value();
      arguments.add(text(Integer.toString(keys.indexOf(table) + 1)));
      arguments.add(text(change.key()));
      arguments.add(text(value == null ? "0" : "1"));
      arguments.add(value == null ? new byte[0] : value.toByteArray());
    }
    return ask(redis -> {
      byte[] answer =
          redis.eval(
              SCRIPT,
              ScriptOutputType.VALUE,
              keys.toArray(String[]::new),
              arguments.toArray(byte[][]::new));
      return new String(answer, UTF_8);
    });
  }

  private static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }

  @Override
  public void close() {
    connection.close();
    close(client);
  }

  private static void close(RedisClient client) {
    client.shutdown(0, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public String toString() {
    return name;
  }
}
