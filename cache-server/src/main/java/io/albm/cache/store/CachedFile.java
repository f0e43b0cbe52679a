// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.Version;

/** A document in the index, with what its file was when it was read. Its mutable state is guarded by the store's lock. */
final class CachedFile implements Resident {

    private final Document document;
    private final Version version;
    private final boolean settled;
    private long checkedNanos;
    private long requests;

    /**
     * @param settled whether a later change of the file would show in the version
     * @param checkedNanos when the file was that version
     */
    CachedFile(Document document, Version version, boolean settled, long checkedNanos) {
        this.document = document;
        this.version = version;
        this.settled = settled;
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
        return settled && version.equals(now);
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
