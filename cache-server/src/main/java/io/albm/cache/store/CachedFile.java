// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.Version;

/** A document in the index, with what its file was when it was read. Its mutable state is guarded by the store's lock. */
final class CachedFile implements Resident {

    private final Document document;
    private final Version version;
    private long checkedNanos;
    private long requests;

    /**
     * @param checkedNanos when the file was that version
     */
    CachedFile(Document document, Version version, long checkedNanos) {
        this.document = document;
        this.version = version;
        this.checkedNanos = checkedNanos;
    }

    @Override
    public Document document() {
        return document;
    }

    @Override
    public long requests() {
        return requests;
    }

    /** Whether its content is that of a file of this version. */
    boolean isOf(Version now) {
        return version.equals(now);
    }

    /** When its file was last looked at. */
    long checkedNanos() {
        return checkedNanos;
    }

    /** Its file was what it is, at that moment. */
    void checked(long nanos) {
        checkedNanos = nanos;
    }

    /** A request was answered with it. */
    void served() {
        requests++;
    }
}
