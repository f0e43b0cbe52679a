// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Opens documents only when nobody has just written to them. A write shows in the version before its bytes do, and two
 * writes in one tick of the file system's clock look like one: who opens a file within that tick may find old and new
 * bytes side by side under a version that does not change any more. Left alone for a tick, a file shows every later write.
 *
 * <p>A document that changed a moment ago costs its reader one tick, by {@link Version#isSettledAt}, or by watching it for
 * as long where the file system's clock is ahead of ours. One that changes {@value #LOOKS} times in a row is not opened.
 * What this cannot see is a writer that pauses in the middle of a file for longer than a tick.
 */
public final class SettledSource implements DocumentSource {

    private static final int LOOKS = 4;

    /** Waits on the calling thread. */
    public interface Pause {
        void of(Duration length) throws InterruptedException;
    }

    private final DocumentSource source;
    private final InstantSource clock;
    private final Pause pause;

    /**
     * @param clock the clock of the file system's times
     */
    public SettledSource(DocumentSource source, InstantSource clock, Pause pause) {
        this.source = source;
        this.clock = clock;
        this.pause = pause;
    }

    @Override
    public Version version(DocumentPath path) throws IOException {
        return source.version(path);
    }

    @Override
    public OpenDocument open(DocumentPath path) throws IOException {
        Version watched = null;
        for (int looks = 0; looks < LOOKS; looks++) {
            if (looks > 0) {
                waitForATick();
            }
            var looked = clock.instant();
            OpenDocument open = source.open(path);
            if (open.version().equals(watched) || open.version().isSettledAt(looked)) {
                return open;
            }
            watched = open.version();
            open.close();
        }
        throw new ChangedDocumentException(path + " keeps changing");
    }

    private void waitForATick() throws IOException {
        try {
            pause.of(Version.TICK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a document settled");
        }
    }
}
