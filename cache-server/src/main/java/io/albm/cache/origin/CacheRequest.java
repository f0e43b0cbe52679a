// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.http.Framing;
import io.albm.core.http.Method;
import io.albm.core.http.RequestHead;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request as a cache sees it.
 *
 * @param authority host and port that it is for, in lower case; without the colon of an empty port
 * @param target path and query, or an asterisk
 * @param fields a view or a copy, see {@link #kept}
 * @param hasBody whether a body follows the head
 */
record CacheRequest(String method, String authority, String target, Fields fields, boolean hasBody) {

    private static final String ANY = "*";
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*");

    /**
     * A request that came in; valid for as long as its head is.
     *
     * @param origin what it is for if it names no host
     */
    static CacheRequest of(RequestHead head, String origin) {
        // What Connection names does not reach the origin, so it must not count here either.
        Fields fields = head.namesFields() ? HopFields.removed(new HeadFields(head)) : new HeadFields(head);
        String whole = head.text(head.targetStart(), head.targetEnd());
        String authority =
                head.isAbsolute() ? head.text(head.authorityStart(), head.authorityEnd()) : fields.first("Host");
        String target = head.isAbsolute() ? head.text(head.authorityEnd(), head.targetEnd()) : whole;
        return new CacheRequest(
                head.text(head.methodStart(), head.targetStart() - 1),
                normal(authority == null ? origin : authority),
                target(target, head.method()),
                fields,
                head.framing() != Framing.NONE);
    }

    /**
     * The same for all ways to write it (RFC 9110, section 4.2.3). A host {@code https:} with an empty port would make of
     * a target that begins with two slashes the key of another host's https, see {@link #uri}.
     */
    private static String normal(String authority) {
        String lower = authority.toLowerCase(Locale.ROOT);
        return lower.endsWith(":") ? lower.substring(0, lower.length() - 1) : lower;
    }

    private static String target(String text, Method method) {
        if (text.isEmpty() && method == Method.OPTIONS) {
            return ANY;
        }
        return text.startsWith("/") || text.equals(ANY) ? text : "/" + text;
    }

    /** The same, valid for good. */
    CacheRequest kept() {
        return fields instanceof FieldList
                ? this
                : new CacheRequest(method, authority, target, FieldList.copyOf(fields), hasBody);
    }

    /** A request for the same with GET, from a kept one. */
    CacheRequest asGet() {
        return new CacheRequest("GET", authority, target, fields, false);
    }

    /** A request for something else with the same fields, of the same host if none is named. */
    CacheRequest asGetOf(@Nullable String host, String other) {
        String named = host == null ? authority : normal(host);
        return new CacheRequest("GET", named, other, fields, false);
    }

    /** What it names, whatever its method and scheme: what an unsafe request changes. */
    String resource() {
        return authority + target;
    }

    /** What it names, whatever its method: where responses to GET are stored. Plain for http. */
    String uri() {
        return Impersonation.scheme(fields).filter(Impersonation.HTTPS::equals).isPresent()
                ? ResponseKey.SECURE + resource()
                : resource();
    }

    boolean isGet() {
        return method.equals("GET");
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    /** Whether a stored response may answer it, and its response be stored. */
    boolean mayBeAnswered() {
        return (isGet() || isHead()) && !hasBody;
    }

    /** Whether only the origin can know what it asks for, or its name is longer than is remembered. */
    boolean isForOrigin() {
        return resource().length() > ResponseKey.MOST_CHARACTERS || Impersonation.isIn(fields, authority);
    }

    /** Whether it changes nothing at the origin. What an unknown method does is not known. */
    boolean isSafe() {
        return SAFE.contains(method);
    }

    /** Whether sending it twice does no more than sending it once; of an unknown method that is not known. */
    boolean isIdempotent() {
        return isSafe() || method.equals("PUT") || method.equals("DELETE");
    }

    /** Whether the answer that others wait for would do for it too, if it can be stored. */
    boolean mayShare() {
        return !fields.has("Range") && isForAll();
    }

    /** Whether it wants one part of an answer that would do for others too. */
    boolean wantsPartOfShared() {
        String range = fields.only("Range");
        return range != null && range.indexOf(',') < 0 && isForAll();
    }

    private boolean isForAll() {
        return isGet() && !needsOrigin() && !fields.has("Authorization") && !isUnstored();
    }

    /** Whether only the origin can judge its conditions (RFC 9111, section 4.3.2). */
    boolean needsOrigin() {
        return fields.has("If-Match") || fields.has("If-Unmodified-Since");
    }

    boolean isUnstored() {
        return Directives.of(fields.all("Cache-Control")).has("no-store");
    }

    /**
     * The resources that this request changes if it is unsafe and succeeds (RFC 9111, section 4.4): its own, and what the
     * response names on the same host.
     */
    Set<String> changed(Fields response) {
        Set<String> resources = new LinkedHashSet<>(Set.of(resource()));
        Stream.of("Location", "Content-Location")
                .flatMap(name -> response.all(name).stream())
                .map(this::resolved)
                .filter(named -> !named.isEmpty())
                .forEach(resources::add);
        return resources;
    }

    /** What a {@code Location} or {@code Content-Location} names, if it is on the same host; otherwise empty. */
    String resolved(String reference) {
        if (reference.startsWith("//")) {
            return onSameHost(reference.substring(2));
        }
        int scheme = reference.indexOf("://");
        if (scheme > 0 && SCHEME.matcher(reference.substring(0, scheme)).matches()) {
            return onSameHost(reference.substring(scheme + 3));
        }
        if (reference.startsWith("/")) {
            return authority + withoutFragment(reference);
        }
        String path = target.indexOf('?') < 0 ? target : target.substring(0, target.indexOf('?'));
        return authority + path.substring(0, path.lastIndexOf('/') + 1) + withoutFragment(reference);
    }

    private String onSameHost(String rest) {
        int slash = rest.indexOf('/');
        String host = slash < 0 ? rest : rest.substring(0, slash);
        String path = slash < 0 ? "/" : rest.substring(slash);
        return normal(host).equals(authority) ? authority + withoutFragment(path) : "";
    }

    private static String withoutFragment(String reference) {
        int hash = reference.indexOf('#');
        return hash < 0 ? reference : reference.substring(0, hash);
    }
}
