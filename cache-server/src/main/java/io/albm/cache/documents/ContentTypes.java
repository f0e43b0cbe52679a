// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Content types by file name extension. */
final class ContentTypes {

    private static final String UNKNOWN = "application/octet-stream";

    private static final Map<String, String> BY_EXTENSION = Map.ofEntries(
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("htm", "text/html; charset=utf-8"),
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("mjs", "text/javascript; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("map", "application/json"),
            Map.entry("txt", "text/plain; charset=utf-8"),
            Map.entry("md", "text/markdown; charset=utf-8"),
            Map.entry("csv", "text/csv; charset=utf-8"),
            Map.entry("xml", "application/xml"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("png", "image/png"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("gif", "image/gif"),
            Map.entry("webp", "image/webp"),
            Map.entry("avif", "image/avif"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("woff", "font/woff"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("ttf", "font/ttf"),
            Map.entry("pdf", "application/pdf"),
            Map.entry("wasm", "application/wasm"),
            Map.entry("mp3", "audio/mpeg"),
            Map.entry("ogg", "audio/ogg"),
            Map.entry("mp4", "video/mp4"),
            Map.entry("webm", "video/webm"),
            Map.entry("gz", "application/gzip"),
            Map.entry("zip", "application/zip"),
            Map.entry("tar", "application/x-tar"));

    private static final Set<String> COMPRESSIBLE = Set.of(
            "application/json", "application/xml", "image/svg+xml", "application/wasm", "image/x-icon", "font/ttf");

    private ContentTypes() {}

    /** Whether documents of such a name get much smaller by compression. */
    static boolean isCompressible(String path) {
        String type = of(path);
        return type.startsWith("text/") || COMPRESSIBLE.contains(type);
    }

    static String of(String path) {
        int dot = path.lastIndexOf('.');
        String extension = dot > path.lastIndexOf('/') ? path.substring(dot + 1) : "";
        return BY_EXTENSION.getOrDefault(extension.toLowerCase(Locale.ROOT), UNKNOWN);
    }
}
