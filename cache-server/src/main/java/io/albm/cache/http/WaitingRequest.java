// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.Field;
import io.albm.core.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits at a distributor, as the field {@code Albm-Waiting} of another request tells of it: a list of
 * strings (RFC 9651, sections 3.1 and 3.3.3), each a reference relative to the request that brings it (RFC 3986, section
 * 4.2): {@code "/path?query"}, or {@code "//host/path?query"} if it is for another host.
 *
 * <p>Nothing is repaired. The two characters that would have to be escaped in such a string may not stand in a URI, so
 * nothing is escaped either.
 *
 * @param authority host and port; null for those of the request that brings it
 * @param target path and query
 */
public record WaitingRequest(@Nullable String authority, String target) {
    static final int MOST = 32;
    static final int MOST_BYTES = 4 << 10;

    /** What the field of that request says; empty if it breaks a rule or a bound. */
    public static Optional<List<WaitingRequest>> of(RequestHead head) {
        String list = head.value(Field.ALBM_WAITING);
        return list == null || list.length() > MOST_BYTES ? Optional.empty() : parse(list);
    }

    private static Optional<List<WaitingRequest>> parse(String list) {
        List<WaitingRequest> all = new ArrayList<>();
        int at = 0;
        while (all.size() < MOST) {
            int close = isAt(list, at, '"') ? list.indexOf('"', at + 1) : -1;
            WaitingRequest one = close < 0 ? null : ofReference(list.substring(at + 1, close));
            if (one == null) {
                return Optional.empty();
            }
            all.add(one);
            int behind = afterSpace(list, close + 1);
            if (behind == list.length()) {
                return Optional.of(all);
            }
            if (!isAt(list, behind, ',')) {
                return Optional.empty();
            }
            at = afterSpace(list, behind + 1);
        }
        return Optional.empty();
    }

    private static boolean isAt(String text, int at, char wanted) {
        return at < text.length() && text.charAt(at) == wanted;
    }

    private static int afterSpace(String text, int from) {
        int at = from;
        while (isAt(text, at, ' ') || isAt(text, at, '\t')) {
            at++;
        }
        return at;
    }

    private static @Nullable WaitingRequest ofReference(String reference) {
        if (!reference.startsWith("/") || !reference.chars().allMatch(WaitingRequest::mayStandInUri)) {
            return null;
        }
        if (!reference.startsWith("//")) {
            return new WaitingRequest(null, reference);
        }
        int path = reference.indexOf('/', 2);
        return path <= 2 ? null : new WaitingRequest(reference.substring(2, path), reference.substring(path));
    }

    private static boolean mayStandInUri(int character) {
        return character > ' ' && character < 0x7f && character != '\\';
    }
}
