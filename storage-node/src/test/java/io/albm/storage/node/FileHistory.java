// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What may be read of a file that one process changes, one change at a time. Each change that was asked for is a version;
 * those from the last one that is sure on may be there. A version becomes sure when its change was answered, or when a reader
 * has seen it, if that cannot be undone. Pure.
 */
final class FileHistory {
    private final String path;
    private final boolean isLasting;
    private final List<Version> versions = new ArrayList<>();
    private int sure;

    /**
     * A file that is not there.
     *
     * @param isLasting whether what a reader has seen cannot be undone but by a later change
     */
    FileHistory(String path, boolean isLasting) {
        this.path = path;
        this.isLasting = isLasting;
        versions.add(new Version(null));
    }

    private static final class Version {
        private final byte @Nullable [] content;
        private boolean isMade = true;

        private Version(byte @Nullable [] content) {
            this.content = content;
        }

        @Override
        public String toString() {
            return (content == null ? "absent" : content.length + " bytes") + (isMade ? "" : ", not made");
        }
    }

    String path() {
        return path;
    }

    @Override
    public String toString() {
        return path;
    }

    /** The version that is sure to be there, or was. */
    int sure() {
        return sure;
    }

    /** The last version that was asked for. */
    int last() {
        return versions.size() - 1;
    }

    /** Whether it is known what is there. */
    boolean isSettled() {
        return sure == last();
    }

    /** What is there if that is known. Null if there is no such file. */
    byte @Nullable [] content() {
        return versions.get(sure).content;
    }

    /**
     * A change is asked for.
     *
     * @param content what the file becomes; null if it goes
     */
    void ask(byte @Nullable [] content) {
        if (!isSettled()) {
            throw new IllegalStateException(path + " is changed already");
        }
        versions.add(new Version(content));
    }

    /** The change that was asked for has been made. */
    void made() {
        sure = last();
    }

    /** The change that was asked for was not made, and never will be. */
    void notMade() {
        if (isSettled()) {
            throw new AssertionError("NOTHING HAPPENS THAT FAILED: " + path + " was seen as the change leaves it");
        }
        versions.get(last()).isMade = false;
        versions.add(versions.get(sure));
        sure = last();
    }

    /** Whether this may be there now. */
    boolean allows(byte @Nullable [] content) {
        return versions.subList(sure, versions.size()).stream()
                .anyMatch(version -> version.isMade && Arrays.equals(version.content, content));
    }

    /**
     * A reader saw something of the file as it was at one moment.
     *
     * @param from the version that was sure before that moment
     * @param upTo the last version that was asked for after it
     * @param fits whether it is what the reader saw
     * @return the version that it was
     */
    int saw(int from, int upTo, Predicate<byte @Nullable []> fits, Object what) {
        for (int i = from; i <= upTo; i++) {
            if (versions.get(i).isMade && fits.test(versions.get(i).content)) {
                sure = isLasting ? Math.max(sure, i) : sure;
                return i;
            }
        }
        throw new AssertionError("WHAT IS READ IS WHAT WAS WRITTEN: " + path + " is none of "
                + versions.subList(from, upTo + 1) + ", but " + what);
    }
}
