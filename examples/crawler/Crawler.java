import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.ObjectRef;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Visits every page of a site, many at a time, but no more in a second than the site allows. */
final class Crawler {
  private static final int PAGES_PER_SECOND = 100;
  private static final int CONNECTIONS = 8;

  static void main(String[] args) throws Exception {
    int pages = args.length > 0 ? Integer.parseInt(args[0]) : 150;
    HttpServer site = startSite(pages);

    try (var _ = Aktis.init();
        var fetcher = Aktis.actor(Fetcher::new).maxConcurrency(CONNECTIONS).remote()) {
      URI start = URI.create("http://localhost:" + site.getAddress().getPort() + "/0");
      long startNs = System.nanoTime();
      Set<URI> visited = crawl(fetcher, start);
      double seconds = (System.nanoTime() - startNs) / 1e9;

      double rate = visited.size() / seconds;
      IO.println(
          "%d pages visited in %.1f s, %.0f a second".formatted(visited.size(), seconds, rate));
      if (visited.size() != pages || seconds < (pages - 1.0) / PAGES_PER_SECOND) {
        throw new AssertionError("pages were missed, or the site was asked too often");
      }
    } finally {
      site.stop(0);
    }
  }

  /** Fetches a page and every page that can be reached from it. */
  static Set<URI> crawl(ActorHandle<Fetcher> fetcher, URI start) {
    Set<URI> seen = new LinkedHashSet<>(Set.of(start));
    List<ObjectRef<List<URI>>> fetches = new ArrayList<>();
    fetches.add(fetcher.call(Fetcher::links, start));
    while (!fetches.isEmpty()) {
      for (ObjectRef<List<URI>> done : Aktis.wait(fetches).ready()) {
        fetches.remove(done);
        for (URI link : done.get()) {
          if (seen.add(link)) {
            fetches.add(fetcher.call(Fetcher::links, link));
          }
        }
      }
    }
    return seen;
  }

  /** Fetches pages. Several calls run at a time, so what they share is guarded. */
  static final class Fetcher {
    private static final Pattern LINK = Pattern.compile("href=\"([^\"]+)\"");
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1) / PAGES_PER_SECOND;

    private final HttpClient client = HttpClient.newHttpClient();
    private long nextTurnNs = System.nanoTime();

    /** Returns the links of a page. */
    List<URI> links(URI page) throws IOException, InterruptedException {
      TimeUnit.NANOSECONDS.sleep(takeTurn() - System.nanoTime());
      HttpRequest request = HttpRequest.newBuilder(page).timeout(Duration.ofSeconds(10)).build();
      String html = client.send(request, BodyHandlers.ofString()).body();
      return LINK.matcher(html).results().map(link -> page.resolve(link.group(1))).toList();
    }

    /** Returns the time of the next turn, which belongs to the caller. */
    private synchronized long takeTurn() {
      long turnNs = Math.max(nextTurnNs, System.nanoTime());
      nextTurnNs = turnNs + INTERVAL_NS;
      return turnNs;
    }
  }

  // ---- the site ---------------------------------------------------------------------------

  /** Starts a site on this machine: page n links to three others, and all are reachable from 0. */
  private static HttpServer startSite(int pages) throws IOException {
    HttpServer site =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    site.createContext("/", exchange -> answer(exchange, pages));
    site.start();
    return site;
  }

  private static void answer(HttpExchange exchange, int pages) throws IOException {
    int page = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
    String html =
        IntStream.of(2 * page + 1, 2 * page + 2, page / 3)
            .filter(link -> link < pages)
            .mapToObj("<a href=\"/%d\">another page</a>"::formatted)
            .collect(Collectors.joining("\n"));
    try (exchange) {
      byte[] body = html.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
