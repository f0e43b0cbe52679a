// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.Set;

/**
 * What a stored response takes on the heap, estimated from above: its parsed head, its names, and its places in the index,
 * among the variants and in the policy. Reckoned with references of four bytes, as a JVM has them below 32 GiB of heap,
 * from the layout of the objects; the texts count as long as they are. Pure.
 */
final class HeapBytes {

    /** Objects of one response and of its places, and the policy's memory of twice as many others that are gone. */
    private static final int ENTRY = 1_152;

    /** Places among the variants of a URL, if it has any. */
    private static final int VARIANT = 448;

    /** A name is held by the index, and by the policy, which remembers twice as many that are gone. */
    private static final int HOLDERS_OF_NAME = 4;

    /** A string without its characters, and the array's padding. */
    private static final int TEXT = 48;

    /** A place in a list or a map, and what stands there. */
    private static final int PLACE = 48;

    private HeapBytes() {}

    /** Of a response without its head. */
    static long ofEntry(ResponseKey key, Selection selection) {
        return ENTRY
                + (long) HOLDERS_OF_NAME * key.characters()
                + (selection.equals(Selection.NONE) ? 0 : VARIANT + ofTexts(selection.names()));
    }

    /** Of a head. */
    static long of(StoredHead head) {
        FieldList fields = head.reply().fields();
        return ofText(head.reply().reason().length())
                + fields.bytes()
                + (long) fields.count() * (PLACE + 2 * TEXT)
                + head.policy().directives().characters()
                + (long) head.policy().directives().count() * (PLACE + 2 * TEXT);
    }

    private static long ofTexts(Set<String> texts) {
        return texts.stream().mapToLong(text -> PLACE + ofText(text.length())).sum();
    }

    /** Of a text of so many characters, none beyond ISO 8859-1, as those of heads. */
    static long ofText(long characters) {
        return TEXT + characters;
    }
}
