// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The requests about locks. */
final class LockOperations {
    private static final int SHARED = 0;
    private static final int EXCLUSIVE = 1;
    private static final int UNLOCK = 2;
    private static final int FLOCK = 1;

    /** A file system is asked again after so long by who waits for ever. */
    private static final Duration ROUND = Duration.ofSeconds(30);

    private final InodeFileSystem files;
    private final LateAnswers late;

    LockOperations(InodeFileSystem files, LateAnswers late) {
        this.files = files;
        this.late = late;
    }

    /** {@code struct fuse_lk_in}. */
    private record Asked(long inode, long handle, RangeLock lock, int type) {
        static Asked of(RequestReader in) throws ErrnoException {
            long handle = in.u64();
            long owner = in.u64();
            long start = in.offset();
            long end = in.offset();
            int type = in.u32();
            int pid = in.u32();
            LockOwner.Kind kind = (in.u32() & FLOCK) == 0 ? LockOwner.Kind.POSIX : LockOwner.Kind.FLOCK;
            if (type < SHARED || type > UNLOCK || end < start) {
                throw new ErrnoException(Errno.EINVAL);
            }
            RangeLock lock =
                    new RangeLock(new LockOwner(kind, owner), new LockRange(start, end), type == EXCLUSIVE, pid);
            return new Asked(in.node(), handle, lock, type);
        }
    }

    void getlk(RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        Asked asked = Asked.of(in);
        Optional<RangeLock> blocker = files.blocker(asked.inode(), asked.handle(), asked.lock());
        if (blocker.isPresent()) {
            lock(blocker.get(), blocker.get().exclusive() ? EXCLUSIVE : SHARED, out);
        } else {
            lock(asked.lock(), UNLOCK, out);
        }
    }

    /** {@code struct fuse_file_lock}. */
    private static void lock(RangeLock lock, int type, ReplyWriter out) {
        out.u64(lock.range().start()).u64(lock.range().end()).u32(type).u32(lock.pid());
    }

    /**
     * Takes a lock, or gives one back; {@link Opcode#SETLKW} as long as another has one in the way. Too many at a time are {@link Errno#ENOLCK}, except for those that give back.
     *
     * @return whether it is done; otherwise it will be answered
     */
    boolean setlk(RequestReader in, Opcode opcode) throws IOException, InterruptedException {
        Asked asked = Asked.of(in);
        boolean unlocks = asked.type() == UNLOCK;
        LateAnswers.Operation operation = unlocks ? () -> unlock(asked) : () -> lock(asked, opcode == Opcode.SETLKW);
        if (late.begin(in.unique(), opcode, operation)) {
            return false;
        }
        if (!unlocks) {
            throw new ErrnoException(Errno.ENOLCK);
        }
        operation.run();
        return true;
    }

    private void unlock(Asked asked) throws IOException, InterruptedException {
        files.unlock(
                asked.inode(),
                asked.handle(),
                asked.lock().owner(),
                asked.lock().range());
    }

    private void lock(Asked asked, boolean waits) throws IOException, InterruptedException {
        boolean taken;
        do {
            taken = files.lock(asked.inode(), asked.handle(), asked.lock(), waits ? ROUND : Duration.ZERO);
        } while (!taken && waits);
        if (!taken) {
            throw new ErrnoException(Errno.EAGAIN);
        }
    }
}
