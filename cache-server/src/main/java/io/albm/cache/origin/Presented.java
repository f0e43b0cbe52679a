// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.ByteRange;
import io.albm.core.http.Framing;
import io.albm.core.http.ResponseHead;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What of a stored response a client gets: its conditions and ranges, judged by the cache (RFC 9111, section 4.3.2). Pure.
 */
sealed interface Presented {

    /** The response itself; also for a request of several ranges, which a server may ignore. */
    record Whole() implements Presented {}

    /** 304. */
    record NotModified() implements Presented {}

    /** 206. */
    record Part(ByteRange.Part part) implements Presented {}

    /** 416. */
    record Unsatisfiable() implements Presented {}

    static Presented of(CacheRequest request, StoredHead stored, long bytes, Instant now) {
        if (stored.reply().status() != Statuses.OK) {
            return new Whole();
        }
        if (isNotModified(request.fields(), stored, now)) {
            return new NotModified();
        }
        String range = request.fields().only("Range");
        return range != null && request.isGet() && isForThis(request.fields(), stored, now)
                ? part(range, bytes)
                : new Whole();
    }

    /** The same of a response that comes in; of one whose length is not known, no part. */
    static Presented ofComing(CacheRequest request, StoredHead coming, ResponseHead head, Instant now) {
        if (head.framing() == Framing.LENGTH) {
            return of(request, coming, head.contentLength(), now);
        }
        return isNotModified(request.fields(), coming, now) ? new NotModified() : new Whole();
    }

    /** Whether the client's copy is as good as the stored one. */
    static boolean isNotModified(Fields request, StoredHead stored, Instant now) {
        List<String> tags = request.all("If-None-Match");
        if (!tags.isEmpty()) {
            return Validators.of(stored.reply()).isNamedIn(tags);
        }
        return HttpDate.parse(request.only("If-Modified-Since"), now)
                .map(since -> !modified(stored, now).isAfter(since))
                .orElse(false);
    }

    /** Without a date of change the response's own date stands in for it. */
    private static Instant modified(StoredHead stored, Instant now) {
        Fields fields = stored.reply().fields();
        return HttpDate.parse(fields.only("Last-Modified"), now)
                .or(() -> HttpDate.parse(fields.first("Date"), now))
                .orElse(stored.freshness().received());
    }

    private static boolean isForThis(Fields request, StoredHead stored, Instant now) {
        String condition = request.only("If-Range");
        if (condition == null) {
            return !request.has("If-Range");
        }
        boolean isTag = condition.startsWith("\"") || condition.startsWith("W/");
        return Validators.of(stored.reply()).isExactly(condition) && (isTag || isSettled(stored, now));
    }

    /** Whether the date of change tells versions apart: a second change would have got another one. */
    private static boolean isSettled(StoredHead stored, Instant now) {
        Fields fields = stored.reply().fields();
        Optional<Instant> modified = HttpDate.parse(fields.only("Last-Modified"), now);
        Optional<Instant> date = HttpDate.parse(fields.first("Date"), now);
        return modified.isPresent()
                && date.isPresent()
                && Duration.between(modified.get(), date.get()).toSeconds() >= 1;
    }

    private static Presented part(String range, long bytes) {
        return switch (ByteRange.parse(range, bytes)) {
            case ByteRange.Parts parts
            when parts.parts().size() == 1 -> new Part(parts.parts().getFirst());
            case ByteRange.Parts parts -> new Whole();
            case ByteRange.Whole whole -> new Whole();
            case ByteRange.Unsatisfiable none -> new Unsatisfiable();
        };
    }
}
