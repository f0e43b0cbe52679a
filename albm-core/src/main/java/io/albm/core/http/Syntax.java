// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Which bytes may stand where in a head (RFC 9110, 5.6.2 and 5.5; RFC 3986, 3.2.2). */
public final class Syntax {
    /** Marks that a token may have beside letters and digits. */
    static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private static final String HOST_MARKS = "._~!$&'()*+;=%-";
    private static final int TOKEN = 1;
    private static final int HOST = 2;
    private static final byte[] CLASSES = classes();

    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;
    private static final long SPACES = 0x2020_2020_2020_2020L;
    private static final long DELETES = 0x7f7f_7f7f_7f7f_7f7fL;

    private Syntax() {}

    private static byte[] classes() {
        var classes = new byte[256];
        String alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        mark(classes, alphanumeric + TOKEN_MARKS, TOKEN);
        mark(classes, alphanumeric + HOST_MARKS, HOST);
        return classes;
    }

    private static void mark(byte[] classes, String members, int as) {
        for (byte member : members.getBytes(StandardCharsets.US_ASCII)) {
            classes[member] |= (byte) as;
        }
    }

    /** A letter, a digit or one of {@link #TOKEN_MARKS}. */
    public static boolean isToken(byte b) {
        return (CLASSES[b & 0xff] & TOKEN) != 0;
    }

    static boolean isHostName(byte b) {
        return (CLASSES[b & 0xff] & HOST) != 0;
    }

    /** Printable ASCII without the space. */
    public static boolean isVisible(byte b) {
        return b > ' ' && b < 0x7f;
    }

    /** What a header's value may hold: all but controls, the tab excepted. */
    public static boolean isValue(byte b) {
        return b >= ' ' ? b != 0x7f : b < 0 || b == '\t';
    }

    /** 0 to 9. */
    public static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** A space or a tab. */
    public static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }

    /** The first byte from there on that no token may hold, or the end. */
    static int endOfToken(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && isToken(bytes[at])) {
            at++;
        }
        return at;
    }

    /** The first byte from there on that is not visible, or the end. */
    static int endOfVisible(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && isVisible(bytes[at])) {
            at++;
        }
        return at;
    }

    /** The first byte from there on that no value may hold, or the end. */
    static int endOfValue(byte[] bytes, int from, int end) {
        int at = from;
        while (at + Long.BYTES <= end && allPlain((long) EIGHT_BYTES.get(bytes, at))) {
            at += Long.BYTES;
        }
        while (at < end && isValue(bytes[at])) {
            at++;
        }
        return at;
    }

    /** True if none of eight bytes is a control; false may also mean a tab or a byte next to one. */
    private static boolean allPlain(long eight) {
        long belowSpace = (eight - SPACES) & ~eight;
        long delete = eight ^ DELETES;
        return ((belowSpace | ((delete - ONES) & ~delete)) & HIGHS) == 0;
    }

    /** Whether those bytes spell that word, which is in lower case, in whatever case. */
    public static boolean spells(byte[] bytes, int from, int end, byte[] lowerCase) {
        if (end - from != lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            if (lower(bytes[from + i]) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /** The lower case of an ASCII letter; any other byte as it is. */
    public static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
    }
}
