// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which requests go to which pool, with which priority.
 *
 * @param frontend of that frontend alone; null for all
 * @param host in lower case, without a port: exact, or {@code *.example.org} for all names below; null for any
 * @param path what the path begins with, byte by byte; null for any
 */
public record RouteSpec(
        String name,
        @Nullable String frontend,
        @Nullable String host,
        @Nullable String path,
        String pool,
        Priority priority) {
    static final String KIND = "route";
    static final String FRONTEND = "frontend";
    static final String HOST = "host";
    static final String PATH = "path";
    static final String POOL = "pool";
    static final String PRIORITY = "priority";

    /**
     * The order in which routes are asked; the first that fits takes the request. A host before a wildcard, a longer
     * wildcard before a shorter one, any host last; then the longer path; then a route of one frontend.
     */
    public static final Comparator<RouteSpec> MOST_SPECIFIC_FIRST = Comparator.comparingInt(RouteSpec::hostRank)
            .thenComparing(Comparator.comparingInt((RouteSpec route) -> length(route.host))
                    .reversed())
            .thenComparing(Comparator.comparingInt((RouteSpec route) -> length(route.path))
                    .reversed())
            .thenComparing(route -> route.frontend == null)
            .thenComparing(RouteSpec::name);

    private static final Pattern HOSTS = Pattern.compile("(\\*\\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\\[[0-9a-f:.]+]");
    private static final Pattern PATHS = Pattern.compile("/[\\x21-\\x7e&&[^?#]]*");

    static RouteSpec read(Section section) {
        String host =
                section.text(HOST).map(text -> text.toLowerCase(Locale.ROOT)).orElse(null);
        section.check(
                host == null || HOSTS.matcher(host).matches(),
                HOST,
                "expected a host without a port such as api.example.org, or *.example.org for all below");
        String path = section.text(PATH).orElse(null);
        section.check(
                path == null || PATHS.matcher(path).matches(),
                PATH,
                "expected what a path begins with, from its '/': printable ASCII without '?', '#' and spaces");
        return new RouteSpec(
                section.name(),
                section.text(FRONTEND).orElse(null),
                host,
                path,
                section.required(POOL, "the name of a pool"),
                section.choice(PRIORITY, Priority.values(), Priority.NORMAL));
    }

    /** Whether the host stands for all names below one. */
    public boolean isWildcard() {
        return host != null && host.startsWith("*.");
    }

    private int hostRank() {
        if (host == null) {
            return 2;
        }
        return isWildcard() ? 1 : 0;
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /** Whether both take the same requests, so that one of them would never be asked. */
    boolean hidesBehind(RouteSpec other) {
        return Objects.equals(frontend, other.frontend)
                && Objects.equals(host, other.host)
                && Objects.equals(path, other.path);
    }

    void write(Map<String, String> settings) {
        var out = new Entries(KIND, name, settings);
        out.put(FRONTEND, Optional.ofNullable(frontend));
        out.put(HOST, Optional.ofNullable(host));
        out.put(PATH, Optional.ofNullable(path));
        out.put(POOL, pool);
        out.put(PRIORITY, priority.id());
    }
}
