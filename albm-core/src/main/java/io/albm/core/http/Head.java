// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The head of a message as it came: its bytes, and where in them each header line's name and value begin and end.
 *
 * <p><b>Why.</b> A proxy changes four or five lines of a head and passes the others on. A parser that makes an object of
 * each line pays for all of them, twice: once to read and once to write. Here reading is one pass that stores offsets, and
 * writing is a copy of the runs between the lines that are dropped. Nothing is allocated for a head: the object is used
 * again, and grows to the longest head it has seen.
 *
 * <p><b>One pass, resumed.</b> {@link #feed} goes on where it stopped. A head that comes byte by byte costs no more steps
 * than one that comes whole, and gets the same verdict after the same byte.
 *
 * <p><b>Strict.</b> By RFC 9112 a bare LF, a folded line, white space before a colon and doubled spaces in the first line
 * may be repaired; every repair is a chance for the next server to see another message than this one, which is what
 * request smuggling lives on. So nothing is repaired: a head is passed on as it is or not at all.
 *
 * <p>The bytes are copied from the socket's buffer into an array once. That costs about ten nanoseconds for a usual head
 * and gives the scanning loops plain array reads, and frees the socket's buffer for the body that follows the head.
 *
 * <p>Not thread-safe: belongs to one event loop.
 */
public abstract sealed class Head permits RequestHead, ResponseHead, Trailers {
    /** What is known after the bytes so far. */
    public enum Progress {
        /** No fault yet, and no end. */
        INCOMPLETE,
        /** The head is whole and may be passed on. */
        COMPLETE,
        /** It may not be passed on, and nothing after it can be trusted; see {@link Head#refusal}. */
        REFUSED
    }

    private enum Place {
        FIRST_LINE,
        FIRST_LINE_LF,
        LINE_START,
        NAME,
        VALUE_START,
        VALUE,
        LINE_LF,
        END_LF,
        DONE
    }

    private static final int FIRST_CAPACITY = 1 << 10;
    private static final int LARGEST_KEPT = 8 << 10;
    private static final int STEP_BYTES = 512;
    private static final int FIRST_LINES = 24;
    private static final int MAX_LINES = 256;
    private static final int MARKS = 4;
    private static final int MOST_DIGITS = 18;
    private static final int NAME_START = 0;
    private static final int NAME_END = 1;
    private static final int VALUE_START = 2;
    private static final int VALUE_END = 3;

    private final int maxBytes;
    private final Place firstPlace;
    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int length;
    private int scanned;
    private Place place;
    private int[] marks = new int[FIRST_LINES * MARKS];
    private Field[] fields = new Field[FIRST_LINES];
    private int count;
    private long present;
    private long repeated;
    private int linesStart;
    private @Nullable Refusal refusal;

    Head(int maxBytes, boolean hasFirstLine) {
        this.maxBytes = maxBytes;
        this.firstPlace = hasFirstLine ? Place.FIRST_LINE : Place.LINE_START;
        this.place = firstPlace;
    }

    /** Gets ready for another head. */
    public void reset() {
        if (bytes.length > LARGEST_KEPT) {
            bytes = new byte[FIRST_CAPACITY];
        }
        length = 0;
        scanned = 0;
        place = firstPlace;
        count = 0;
        present = 0;
        repeated = 0;
        linesStart = 0;
        refusal = null;
        resetFirstLine();
    }

    // Reading.

    /**
     * Takes the bytes that belong to the head, and none after it.
     *
     * @param in its reader index moves past what was taken
     */
    public final Progress feed(ByteBuf in) {
        while (true) {
            int taken = Math.min(in.readableBytes(), Math.min(STEP_BYTES, maxBytes - length));
            if (taken == 0) {
                return length == maxBytes ? refused(tooLarge(maxBytes)) : Progress.INCOMPLETE;
            }
            append(in, taken);
            scan();
            in.skipBytes(taken - (length - scanned));
            if (refusal != null) {
                return Progress.REFUSED;
            }
            if (place == Place.DONE) {
                length = scanned;
                return judged();
            }
        }
    }

    private void append(ByteBuf in, int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(maxBytes, Math.max(bytes.length * 2, length + more)));
        }
        in.getBytes(in.readerIndex(), bytes, length, more);
        length += more;
    }

    private void scan() {
        int at = scanned;
        while (at < length && place != Place.DONE && refusal == null) {
            at = step(at);
        }
        scanned = at;
    }

    private Progress judged() {
        Refusal broken = judge();
        return broken == null ? Progress.COMPLETE : refused(broken);
    }

    private Progress refused(Refusal reason) {
        refusal = reason;
        return Progress.REFUSED;
    }

    private int step(int at) {
        return switch (place) {
            case FIRST_LINE -> firstLine(at, length);
            case FIRST_LINE_LF -> firstLineFeed(at);
            case LINE_START -> newLine(at);
            case NAME -> name(at);
            case VALUE_START -> beforeValue(at);
            case VALUE -> value(at);
            case LINE_LF -> lineFeed(at, Place.LINE_START);
            case END_LF -> lineFeed(at, Place.DONE);
            case DONE -> at;
        };
    }

    /** To be called by {@link #firstLine} at the line's CR. */
    final int endFirstLine(int at) {
        place = Place.FIRST_LINE_LF;
        return at + 1;
    }

    private int firstLineFeed(int at) {
        linesStart = at + 1;
        return lineFeed(at, Place.LINE_START);
    }

    private int newLine(int at) {
        if (bytes[at] == '\r') {
            place = Place.END_LF;
            return at + 1;
        }
        if (Syntax.isSpace(bytes[at])) {
            return fault(at, "folded header: expected one line per header");
        }
        if (count == MAX_LINES) {
            return fault(at, tooManyLines(MAX_LINES));
        }
        openLine(at);
        place = Place.NAME;
        return at;
    }

    private void openLine(int at) {
        if (count == fields.length) {
            fields = Arrays.copyOf(fields, count * 2);
            marks = Arrays.copyOf(marks, count * 2 * MARKS);
        }
        marks[count * MARKS + NAME_START] = at;
    }

    private int name(int from) {
        int at = Syntax.endOfToken(bytes, from, length);
        if (at == length) {
            return at;
        }
        int start = marks[count * MARKS + NAME_START];
        if (bytes[at] != ':' || at == start) {
            return fault(at, "header name: expected letters, digits and " + Syntax.TOKEN_MARKS);
        }
        marks[count * MARKS + NAME_END] = at;
        note(Field.of(bytes, start, at));
        place = Place.VALUE_START;
        return at + 1;
    }

    private void note(Field field) {
        fields[count] = field;
        long bit = field.bit();
        repeated |= present & bit;
        present |= bit;
    }

    private int beforeValue(int from) {
        int at = from;
        while (at < length && Syntax.isSpace(bytes[at])) {
            at++;
        }
        if (at < length) {
            marks[count * MARKS + VALUE_START] = at;
            place = Place.VALUE;
        }
        return at;
    }

    private int value(int from) {
        int at = Syntax.endOfValue(bytes, from, length);
        if (at == length) {
            return at;
        }
        if (bytes[at] != '\r') {
            return fault(at, "header value: expected no control characters");
        }
        closeLine(at);
        place = Place.LINE_LF;
        return at + 1;
    }

    private void closeLine(int at) {
        int end = at;
        int start = marks[count * MARKS + VALUE_START];
        while (end > start && Syntax.isSpace(bytes[end - 1])) {
            end--;
        }
        marks[count * MARKS + VALUE_END] = end;
        count++;
    }

    private int lineFeed(int at, Place next) {
        if (bytes[at] != '\n') {
            return fault(at, "bare CR: expected CR LF at the end of a line");
        }
        place = next;
        return at + 1;
    }

    final int fault(int at, String reason) {
        return fault(at, malformed(reason));
    }

    final int fault(int at, Refusal reason) {
        refusal = reason;
        return at;
    }

    abstract void resetFirstLine();

    /** Reads on in the first line; returns where it stopped. */
    abstract int firstLine(int from, int end);

    abstract Refusal malformed(String reason);

    abstract Refusal tooLarge(int bound);

    abstract Refusal tooManyLines(int bound);

    /** What the {@code Connection} lines say; see {@link ConnectionOptions}. */
    abstract int options();

    /** What the whole head breaks of the rules that need more than one line. */
    abstract @Nullable Refusal judge();

    // What was read.

    /** Why the head is refused; null if it is not. */
    public final @Nullable Refusal refusal() {
        return refusal;
    }

    /** True if no byte of a head has been seen. */
    public final boolean isFresh() {
        return length == 0;
    }

    final boolean isInFirstLine() {
        return place == Place.FIRST_LINE;
    }

    /** What the positions below point into: the head's own array, to be read only, until the next {@link #reset}. */
    public final byte[] bytes() {
        return bytes;
    }

    /** How many header lines there are. */
    public final int count() {
        return count;
    }

    /** Whether there is such a field. */
    public final boolean has(Field field) {
        return (present & field.bit()) != 0;
    }

    /**
     * Whether there is any of these fields.
     *
     * @param fieldSet see {@link Field#set}
     */
    public final boolean hasAny(long fieldSet) {
        return (present & fieldSet) != 0;
    }

    /** Whether there are several lines of that field. */
    public final boolean isRepeated(Field field) {
        return (repeated & field.bit()) != 0;
    }

    /** Which field a line is, from 0 to {@link #count} exclusive. */
    public final Field field(int line) {
        return fields[line];
    }

    /** The first line of that field from that line on, or {@link #count}. */
    public final int next(Field field, int from) {
        int line = from;
        while (line < count && fields[line] != field) {
            line++;
        }
        return line;
    }

    /** Where a line's name begins. */
    public final int nameStart(int line) {
        return marks[line * MARKS + NAME_START];
    }

    /** Where it ends, before the colon. */
    public final int nameEnd(int line) {
        return marks[line * MARKS + NAME_END];
    }

    /** Where a line's value begins, behind white space. */
    public final int valueStart(int line) {
        return marks[line * MARKS + VALUE_START];
    }

    /** Where it ends, before white space. */
    public final int valueEnd(int line) {
        return marks[line * MARKS + VALUE_END];
    }

    /** Where a header line begins; for the line after the last one, where the head's empty line begins. */
    final int lineStart(int line) {
        return line < count ? nameStart(line) : length - 2;
    }

    final int linesStart() {
        return linesStart;
    }

    /** Whether {@code Connection} names fields that are meant for one hop only. */
    public final boolean namesFields() {
        return (options() & ConnectionOptions.NAMES) != 0;
    }

    /** Whether {@code Connection} names the field of that line. */
    public final boolean isNamed(int line) {
        return namesFields() && ConnectionOptions.name(this, line);
    }

    final boolean valueSpells(int line, byte[] lowerCase) {
        return Syntax.spells(bytes, valueStart(line), valueEnd(line), lowerCase);
    }

    /** These bytes as text, each one a character below 256. */
    public final String text(int from, int end) {
        return new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
    }

    /** The value of the only line of that field as a decimal number; -1 if it is none below 10^18, or not the only one. */
    public final long number(Field field) {
        if (!has(field) || isRepeated(field)) {
            return -1;
        }
        int line = next(field, 0);
        int end = valueEnd(line);
        int at = valueStart(line);
        if (at == end || end - at > MOST_DIGITS) {
            return -1;
        }
        long number = 0;
        for (; at < end; at++) {
            if (!Syntax.isDigit(bytes[at])) {
                return -1;
            }
            number = 10 * number + bytes[at] - '0';
        }
        return number;
    }

    /** The value of the only line of that field; null if there is none, or more than one. */
    public final @Nullable String value(Field field) {
        if (!has(field) || isRepeated(field)) {
            return null;
        }
        int line = next(field, 0);
        return text(valueStart(line), valueEnd(line));
    }
}
