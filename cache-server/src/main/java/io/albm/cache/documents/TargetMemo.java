// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.MalformedPathException;
import io.albm.core.http.RequestHead;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which document a request target names, remembered by the target's bytes: decoding and checking a path costs ten times
 * as much as comparing it with one that was decoded before. A table of fixed size in which each target has one place and
 * the later one wins; long targets are not remembered. Confined to one event loop.
 */
final class TargetMemo {
    private static final int PLACES = 1 << 12;
    private static final int LONGEST = 256;

    private final @Nullable Entry[] entries = new Entry[PLACES];

    @SuppressWarnings("ArrayRecordComponent") // compared by hand
    private record Entry(byte[] target, DocumentPath path) {}

    /** @throws MalformedPathException if the target names no document safely */
    DocumentPath path(RequestHead head) throws MalformedPathException {
        byte[] bytes = head.bytes();
        int from = head.pathStart();
        int end = head.targetEnd();
        if (end - from > LONGEST) {
            return decoded(head, from, end);
        }
        int place = (int) head.pathHash() & (PLACES - 1);
        Entry known = entries[place];
        if (known != null && Arrays.equals(known.target, 0, known.target.length, bytes, from, end)) {
            return known.path;
        }
        DocumentPath path = decoded(head, from, end);
        entries[place] = new Entry(Arrays.copyOfRange(bytes, from, end), path);
        return path;
    }

    private static DocumentPath decoded(RequestHead head, int from, int end) throws MalformedPathException {
        String target = head.text(from, end);
        return DocumentPath.ofTarget(target.startsWith("/") ? target : "/" + target);
    }
}
