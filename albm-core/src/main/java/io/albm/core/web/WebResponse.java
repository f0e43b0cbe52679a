// SPDX-License-Identifier: Apache-2.0
package io.albm.core.web;

import io.albm.core.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One answer, whole in memory; its body is text and goes out in UTF-8.
 *
 * @param status HTTP status code
 * @param contentType with {@code charset=utf-8}
 * @param headers further headers
 * @param body may be empty
 */
public record WebResponse(int status, String contentType, Map<String, String> headers, String body) {

    private static final String JSON = "application/json; charset=utf-8";

    public static WebResponse of(int status, String contentType, String body) {
        return new WebResponse(status, contentType, Map.of(), body);
    }

    /** Plain text in UTF-8. */
    public static WebResponse text(int status, String text) {
        return of(status, "text/plain; charset=utf-8", text);
    }

    /** A value as JSON, with a line break at its end for terminals. */
    public static WebResponse json(int status, Object value) {
        return of(status, JSON, Json.pretty(value) + "\n");
    }

    /** JSON that is text already. */
    public static WebResponse jsonText(int status, String json) {
        return of(status, JSON, json);
    }

    /** The same answer with one more header. */
    public WebResponse with(String name, String value) {
        var more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new WebResponse(status, contentType, more, body);
    }
}
