// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.node.NodeAddress;
import io.netty.handler.ssl.SslContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which origin, and how it is spoken to. Immutable.
 *
 * @param address where it listens; also what requests that name no host are for
 * @param prefix what stands before the path of every request there, such as {@code /site}; or empty
 * @param tls what it is spoken to with, see {@link OriginTls}; null for clear text. With it the host has to be an address,
 *     or a name that can be asked for: without a dot at its end
 */
public record Origin(
        NodeAddress address, String prefix, @Nullable SslContext tls) {

    private static final Pattern SEPARATORS = Pattern.compile("[/\\\\]");

    /** How a reference begins that names a host (RFC 3986, section 4.2). */
    private static final Pattern HOST = Pattern.compile("(?:[A-Za-z][A-Za-z0-9+.-]*:)?//([^/?#]*)");

    /** What browsers take two of for {@code //}, the beginning of a host, or leave out. */
    private static final Pattern HOST_MARKS = Pattern.compile("^[/\\\\\t]+");

    private static final Set<String> REFERENCES = Set.of("location", "content-location");

    public Origin {
        if (!prefix.isEmpty() && (!prefix.startsWith("/") || prefix.endsWith("/"))) {
            throw new IllegalArgumentException("prefix '" + prefix + "': expected none, or a path such as /site");
        }
        if (tls != null) {
            OriginTls.serverNames(address); // Throws if TLS cannot ask for the host.
        }
    }

    /** One in clear text, from its root on. */
    public static Origin at(NodeAddress address) {
        return new Origin(address, "", null);
    }

    /** The target as the origin gets it. */
    String targetOf(String target) {
        return target.startsWith("/") ? prefix + target : target;
    }

    /** Whether a target stays below the prefix, however often the origin decodes it. */
    boolean covers(String target) {
        if (prefix.isEmpty()) {
            return true;
        }
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        String decoded = decoded(path);
        while (!hasDots(path) && !decoded.equals(path)) {
            path = decoded;
            decoded = decoded(path);
        }
        return !hasDots(path);
    }

    private static boolean hasDots(String path) {
        return SEPARATORS.splitAsStream(path).anyMatch(segment -> segment.equals("..") || segment.equals("."));
    }

    private static String decoded(String path) {
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            return path; // Malformed: no server decodes it further.
        }
    }

    /**
     * What the origin says of its own places, as clients know them: without the prefix.
     *
     * @param authority that the request is for
     */
    FieldList outward(FieldList response, String authority) {
        return prefix.isEmpty()
                ? response
                : response.mapped((name, value) ->
                        REFERENCES.contains(name.toLowerCase(Locale.ROOT)) ? outward(value, authority) : value);
    }

    private String outward(String reference, String authority) {
        int path = pathStart(reference, authority);
        int end = path + prefix.length();
        boolean below = path >= 0
                && reference.startsWith(prefix, path)
                && (end == reference.length() || "/?#".indexOf(reference.charAt(end)) >= 0);
        if (!below) {
            return reference;
        }
        String rest = reference.substring(end);
        return path == 0
                ? "/" + HOST_MARKS.matcher(rest).replaceFirst("")
                : reference.substring(0, path) + (rest.startsWith("/") ? rest : "/" + rest);
    }

    /** Where the path begins in a reference to this host; -1 in any other. */
    private static int pathStart(String reference, String authority) {
        Matcher host = HOST.matcher(reference);
        if (!host.lookingAt()) {
            return reference.startsWith("/") ? 0 : -1;
        }
        boolean hasPath = reference.startsWith("/", host.end());
        return hasPath && host.group(1).equalsIgnoreCase(authority) ? host.end() : -1;
    }
}
