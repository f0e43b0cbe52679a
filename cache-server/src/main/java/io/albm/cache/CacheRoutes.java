// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.store.MemoryLedger;
import io.albm.cache.store.ResidentControl;
import io.albm.cache.store.ResidentControl.Kept;
import io.albm.cache.store.StoreStats;
import io.albm.core.admin.AdminServer;
import io.albm.core.live.LiveSettings;
import io.albm.core.web.WebHandler;
import io.albm.core.web.WebRequest;
import io.albm.core.web.WebResponse;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the admin port of a cache server tells operators and lets them do:
 *
 * <ul>
 *   <li>{@code GET /cache}: capacity, policy, hit ratios, what came of live settings
 *   <li>{@code GET /cache/top?by=requests|bytes&most=N}: documents that are kept
 *   <li>{@code POST /cache/purge}: a name a line, {@code *} at its end for all that begin so; drops them, in all codings
 *       unless the name says one, as {@code /a.css in gzip}
 *   <li>{@code POST /cache/warm}: a name a line; reads them as requests would, as they are unless the name says a coding
 * </ul>
 *
 * <p>Pages of web browsers may not use them.
 */
final class CacheRoutes {

    private static final int MOST_LISTED = 10_000;
    private static final int LISTED = 20;

    /** Reads documents ahead of requests. */
    interface Warmer {
        /** How many of these names came to what end, such as {@code found}. Blocks. */
        Map<String, Integer> warm(List<String> names) throws InterruptedException;
    }

    /** The body of {@code /cache}. */
    record Status(
            String policy,
            List<String> policies,
            String objective,
            long capacityBytes,
            long residentBytes,
            long transitBytes,
            long transitLimitBytes,
            double objectHitRatio,
            double byteHitRatio,
            long requests,
            long reads,
            long evictions,
            String settings,
            LiveSettings.@Nullable Refused refused) {}

    private final Engine engine;
    private final ResidentControl<?> control;
    private final StoreStats stats;
    private final LiveSettings settings;

    CacheRoutes(Engine engine, LiveSettings settings) {
        this.engine = engine;
        this.settings = settings;
        control = engine.control();
        stats = engine.stats();
    }

    void serve(AdminServer admin) {
        admin.route("/cache", get(this::status));
        admin.route("/cache/top", get(this::top));
        admin.route("/cache/purge", post(this::purge));
        admin.route("/cache/warm", post(this::warm));
    }

    private static WebHandler get(WebHandler handler) {
        return only("GET", handler);
    }

    private static WebHandler post(WebHandler handler) {
        return only("POST", handler);
    }

    private static WebHandler only(String method, WebHandler handler) {
        return request -> {
            if (!request.method().equals(method)) {
                return WebResponse.text(405, request.path() + " answers " + method + "\n")
                        .with("allow", method);
            }
            if (request.origin().isPresent()) {
                return WebResponse.text(403, request.path() + " is not served to web pages of another origin\n");
            }
            return handler.handle(request);
        };
    }

    private WebResponse status(WebRequest request) {
        MemoryLedger.Balance books = engine.memory();
        LiveSettings.State live = settings.state();
        return WebResponse.json(
                200,
                new Status(
                        control.policy(),
                        EvictionPolicies.names(),
                        control.objective().id(),
                        books.bounds().residentBytes(),
                        books.resident(),
                        books.transit(),
                        books.bounds().transitBytes(),
                        stats.objectHitRatio(),
                        stats.byteHitRatio(),
                        stats.requests(),
                        stats.reads(),
                        stats.evictions(),
                        live.settings(),
                        live.refused()));
    }

    private WebResponse top(WebRequest request) {
        Comparator<Kept> order = switch (first(request, "by", "requests")) {
            case "requests" -> Comparator.comparingLong(Kept::requests).reversed();
            case "bytes" -> Comparator.comparingLong(Kept::bytes).reversed();
            default -> null;
        };
        int most = most(first(request, "most", Integer.toString(LISTED)));
        if (order == null || most < 1) {
            return WebResponse.text(400, "expected by=requests or by=bytes, and most=1 to " + MOST_LISTED + "\n");
        }
        return WebResponse.json(200, control.first(most, order.thenComparing(Kept::name)));
    }

    private static String first(WebRequest request, String name, String absent) {
        return request.query().getOrDefault(name, List.of(absent)).getFirst();
    }

    private static int most(String text) {
        try {
            int most = Integer.parseInt(text);
            return most > MOST_LISTED ? 0 : most;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private WebResponse purge(WebRequest request) throws InterruptedException {
        List<String> names = names(request);
        return WebResponse.json(200, engine.purge(kept -> names.stream().anyMatch(name -> matches(kept, name))));
    }

    private static boolean matches(String kept, String name) {
        return name.endsWith("*") ? kept.startsWith(name.substring(0, name.length() - 1)) : kept.equals(name);
    }

    private WebResponse warm(WebRequest request) throws InterruptedException {
        return WebResponse.json(200, new TreeMap<>(engine.warmer().warm(names(request))));
    }

    private static List<String> names(WebRequest request) {
        return request.body()
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
