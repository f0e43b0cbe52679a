// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Field;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.Method;
import io.albm.core.http.RequestHead;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a request that waits asks for, as backends are told of it: a reference with its host (RFC 3986, section 4.2), of which
 * the host is left out for those that serve the same one. Thread-safe.
 */
final class Announcement {
    /** Longest reference, with its host. */
    static final int MOST_BYTES = 512;

    /** Its bytes beyond the reference. */
    static final int QUOTES = 2;

    private static final byte SLASH = '/';
    private static final int SLASHES = 2;

    private final byte[] reference;
    private final int path;
    private volatile boolean over;

    private Announcement(byte[] reference, int path) {
        this.reference = reference;
        this.path = path;
    }

    /**
     * The announcement of a request; null if no backend is to hear of it: it is too long, does not want a document, or has in its
     * target what would have to be escaped, which no URI has.
     */
    static @Nullable Announcement of(RequestHead request) {
        int hostStart = authorityStart(request);
        int hostBytes = authorityEnd(request) - hostStart;
        int pathBytes = request.targetEnd() - request.pathStart();
        boolean wantsDocument = request.method() == Method.GET || request.method() == Method.HEAD;
        if (!wantsDocument || pathBytes < 1 || SLASHES + hostBytes + pathBytes > MOST_BYTES) {
            return null;
        }
        var reference = new byte[SLASHES + hostBytes + pathBytes];
        Arrays.fill(reference, 0, SLASHES, SLASH);
        System.arraycopy(request.bytes(), hostStart, reference, SLASHES, hostBytes);
        System.arraycopy(request.bytes(), request.pathStart(), reference, SLASHES + hostBytes, pathBytes);
        var announcement = new Announcement(reference, SLASHES + hostBytes);
        return announcement.isReference() ? announcement : null;
    }

    /** An asterisk is no path, and neither is one that begins as a host would. */
    private boolean isReference() {
        boolean isPath = reference[path] == SLASH && (path + 1 == reference.length || reference[path + 1] != SLASH);
        for (byte one : reference) {
            isPath &= one != '"' && one != '\\';
        }
        return isPath;
    }

    private static int authorityStart(RequestHead request) {
        if (request.isAbsolute()) {
            return request.authorityStart();
        }
        return request.has(Field.HOST) ? request.valueStart(request.next(Field.HOST, 0)) : 0;
    }

    private static int authorityEnd(RequestHead request) {
        if (request.isAbsolute()) {
            return request.authorityEnd();
        }
        return request.has(Field.HOST) ? request.valueEnd(request.next(Field.HOST, 0)) : 0;
    }

    /** Nobody waits for it any more. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** Most bytes that {@link #write} takes. */
    int bytes() {
        return reference.length + QUOTES;
    }

    /** Writes it as a string (RFC 9651, section 3.3.3), for the backend that gets this request. */
    void write(RequestHead bearer, HeadWriter to) {
        int hostStart = authorityStart(bearer);
        int hostEnd = authorityEnd(bearer);
        boolean sameHost =
                path == SLASHES || Arrays.equals(bearer.bytes(), hostStart, hostEnd, reference, SLASHES, path);
        to.put('"').put(reference, sameHost ? path : 0, reference.length).put('"');
    }
}
