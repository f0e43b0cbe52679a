// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks whose owners have closed the file, and that could not be given back then because the table was away. It is tried until that
 * is done, or the mount ends; nobody else would do it while the client's session lasts. The table bounds how many there can be.
 * Thread-safe.
 */
final class UnreleasedLocks {
    private static final Logger log = LoggerFactory.getLogger(UnreleasedLocks.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Answers answers;
    /** One at a time: none may be done after its owner has got another lock. */
    private final Lock turn = new ReentrantLock();

    private final Set<Unreleased> left = new LinkedHashSet<>();
    private boolean trying;
    private boolean ended;

    private record Unreleased(long inode, LockOwner owner) {}

    UnreleasedLocks(Answers answers) {
        this.answers = answers;
    }

    synchronized void add(long inode, LockOwner owner) {
        left.add(new Unreleased(inode, owner));
        if (!trying && !ended) {
            trying = true;
            Thread.ofVirtual().name("unreleased-locks").start(this::tryUntilDone);
        }
    }

    private void tryUntilDone() {
        try {
            for (Optional<Unreleased> next = next(); next.isPresent(); next = next()) {
                Unreleased tried = next.get();
                try {
                    giveBack(tried.inode(), tried.owner());
                } catch (IOException away) {
                    log.debug("locks on inode {} are not given back yet", tried.inode(), away);
                    Thread.sleep(PAUSE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Optional<Unreleased> next() {
        Optional<Unreleased> next = ended ? Optional.empty() : left.stream().findFirst();
        trying = next.isPresent();
        return next;
    }

    /** Gives back what an owner may have left on a file; to be done before he asks for a lock there. */
    void giveBack(long inode, LockOwner owner) throws IOException, InterruptedException {
        Unreleased unreleased = new Unreleased(inode, owner);
        if (!isLeft(unreleased)) {
            return;
        }
        turn.lockInterruptibly();
        try {
            if (isLeft(unreleased)) {
                TableAnswer.Locks _ = answers.ask(new TableCommand.Unlock(inode, owner, LockRange.ALL));
                done(unreleased);
            }
        } finally {
            turn.unlock();
        }
    }

    private synchronized boolean isLeft(Unreleased unreleased) {
        return left.contains(unreleased);
    }

    private synchronized void done(Unreleased unreleased) {
        left.remove(unreleased);
    }

    /** The client's session, and all locks with it, are about to end. */
    synchronized void end() {
        ended = true;
    }
}
