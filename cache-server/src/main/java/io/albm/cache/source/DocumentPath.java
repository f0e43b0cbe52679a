// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The decoded path of a document below the root of its source: it starts with a slash, has no empty, {@code .} or
 * {@code ..} segment, no control character and no backslash, and names a file (a trailing slash became
 * {@code index.html}). Equal paths name the same cached document.
 *
 * <p>Hostile spellings are refused, not repaired: percent-encoded slashes and dots that make up a dot segment,
 * encoded NUL, malformed or overlong UTF-8. Decoding happens once, so {@code %252e} names a file called
 * {@code %2e}.
 *
 * @param value for example {@code /a/index.html}
 * @param coding the coding that the document is wanted in
 */
public record DocumentPath(String value, Coding coding) {

    private static final String INDEX = "index.html";
    private static final String IN = " in ";

    public DocumentPath {
        if (!value.startsWith("/")) {
            throw new IllegalArgumentException("document path \"" + value + "\" does not start with \"/\"");
        }
    }

    /** A document as it is. */
    public DocumentPath(String value) {
        this(value, Coding.IDENTITY);
    }

    /** The same document in another coding. */
    public DocumentPath in(Coding other) {
        return other == coding ? this : new DocumentPath(value, other);
    }

    /**
     * Reads the target of a request line (RFC 9112, section 3.2), in origin or absolute form. The query is cut.
     *
     * @throws MalformedPathException if it names no document safely
     */
    public static DocumentPath ofTarget(String target) throws MalformedPathException {
        String path = decode(withoutQuery(withoutAuthority(target)));
        return new DocumentPath(checked(path.endsWith("/") ? path + INDEX : path));
    }

    /**
     * Reads the name that {@link #toString} gives: a target, and behind it {@code in} and a coding if it is not wanted as it
     * is, as in {@code /a.css in gzip}.
     *
     * @throws MalformedPathException if it names no document safely, or no coding
     */
    public static DocumentPath ofName(String name) throws MalformedPathException {
        int space = name.indexOf(IN);
        if (space < 0) {
            return ofTarget(name);
        }
        String token = name.substring(space + IN.length());
        Coding coding =
                Coding.of(token).orElseThrow(() -> new MalformedPathException("\"" + token + "\" is not a coding"));
        return ofTarget(name.substring(0, space)).in(coding);
    }

    /**
     * The target of the same directory with the slash that it ends with, as a path: the place to redirect to. None if it
     * ends with one already, whatever is there.
     */
    public static Optional<String> directoryOf(String target) {
        int scheme = target.indexOf("://");
        int slash = target.startsWith("/") ? 0 : target.indexOf('/', scheme + 3);
        String path = slash < 0 ? "/" : target.substring(slash);
        int query = path.indexOf('?');
        int end = query < 0 ? path.length() : query;
        return path.charAt(end - 1) == '/'
                ? Optional.empty()
                : Optional.of(path.substring(0, end) + "/" + path.substring(end));
    }

    private static String withoutAuthority(String target) throws MalformedPathException {
        if (target.startsWith("/")) {
            return target;
        }
        int scheme = target.indexOf("://");
        if (scheme < 0 || !target.regionMatches(true, 0, "http", 0, 4)) {
            throw new MalformedPathException("the request target is neither a path nor an http URL");
        }
        int slash = target.indexOf('/', scheme + 3);
        return slash < 0 ? "/" : target.substring(slash);
    }

    private static String withoutQuery(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    private static String decode(String path) throws MalformedPathException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '%') {
                bytes.write(encodedByte(path, i));
                i += 2;
            } else {
                bytes.write(plainByte(c));
            }
        }
        return utf8(bytes.toByteArray());
    }

    private static int plainByte(char c) throws MalformedPathException {
        if (c <= ' ' || c >= 0x7f || c == '#') {
            throw new MalformedPathException("the path has a character that must be percent-encoded");
        }
        return c;
    }

    private static int encodedByte(String path, int percent) throws MalformedPathException {
        if (percent + 2 >= path.length()
                || !HexFormat.isHexDigit(path.charAt(percent + 1))
                || !HexFormat.isHexDigit(path.charAt(percent + 2))) {
            throw new MalformedPathException("the path has a \"%\" without two hexadecimal digits");
        }
        int decoded = HexFormat.fromHexDigits(path, percent + 1, percent + 3);
        if (decoded == '/') {
            throw new MalformedPathException("the path has an encoded slash");
        }
        return decoded;
    }

    private static String utf8(byte[] bytes) throws MalformedPathException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedPathException("the path is not UTF-8");
        }
    }

    private static String checked(String path) throws MalformedPathException {
        int start = 1;
        for (int i = 1; i <= path.length(); i++) {
            if (i == path.length() || path.charAt(i) == '/') {
                checkSegment(path, start, i);
                start = i + 1;
            } else if (Character.isISOControl(path.charAt(i)) || path.charAt(i) == '\\') {
                throw new MalformedPathException("the path has a control character or a backslash");
            }
        }
        return path;
    }

    private static void checkSegment(String path, int start, int end) throws MalformedPathException {
        boolean onlyDots =
                path.startsWith(".", start) && (end - start == 1 || (end - start == 2 && path.charAt(end - 1) == '.'));
        if (start == end || onlyDots) {
            throw new MalformedPathException("the path has an empty or a dot segment");
        }
    }

    @Override
    public String toString() {
        return coding == Coding.IDENTITY ? value : value + IN + coding.token();
    }
}
