// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;

/**
 * Decodes a request, has the file system do it, and encodes the answer. Nothing that is thrown on the way leaves it: the
 * kernel gets an errno. Thread-safe.
 */
final class Dispatcher {
    private final NameOperations names;
    private final FileOperations open;
    private final AttributeOperations attributes;
    private final LockOperations locks;
    private final boolean hasLocks;
    private final Interrupts interrupts;
    private final Failures failures;

    /** @param late serves what may take long */
    Dispatcher(InodeFileSystem files, Interrupts interrupts, Failures failures, LateAnswers late) {
        names = new NameOperations(files);
        open = new FileOperations(files);
        attributes = new AttributeOperations(files);
        locks = new LockOperations(files, late);
        hasLocks = files.hasLocks();
        this.interrupts = interrupts;
        this.failures = failures;
    }

    /**
     * Serves one request.
     *
     * @return bytes of the answer; 0 if there is none to be sent, or not yet
     */
    int serve(RequestReader in, ReplyWriter out) {
        Opcode opcode = Opcode.of(in.opcode());
        if (opcode == null) {
            return out.failed(in.unique(), Errno.ENOSYS);
        }
        boolean answered;
        try {
            answered = in.isWhole() ? serve(opcode, in, out) : refuse();
        } catch (Throwable failure) {
            return opcode.isAnswered() ? out.failed(in.unique(), failures.errno(opcode, failure)) : 0;
        }
        return answered ? out.done(in.unique()) : 0;
    }

    private static boolean refuse() throws ErrnoException {
        throw new ErrnoException(Errno.EINVAL);
    }

    /** @return whether the kernel waits for an answer, which is there */
    private boolean serve(Opcode opcode, RequestReader in, ReplyWriter out) throws IOException, InterruptedException {
        switch (opcode) {
            case INIT -> Negotiation.answer(in, out, hasLocks);
            case INTERRUPT -> interrupt(in.u64());
            case LOOKUP -> names.lookup(in, out);
            case FORGET -> names.forget(in);
            case BATCH_FORGET -> names.forgetAll(in);
            case SYMLINK -> names.symlink(in, out);
            case READLINK -> names.readlink(in, out);
            case MKNOD -> names.mknod(in, out);
            case MKDIR -> names.mkdir(in, out);
            case CREATE -> names.create(in, out);
            case UNLINK -> names.unlink(in);
            case RMDIR -> names.rmdir(in);
            case LINK -> names.link(in, out);
            case RENAME -> names.rename(in);
            case RENAME2 -> names.rename2(in);
            case OPEN -> open.open(in, out);
            case READ -> open.read(in, out);
            case WRITE -> open.write(in, out);
            case FLUSH -> open.flush(in);
            case RELEASE -> open.release(in);
            case FSYNC -> open.fsync(in);
            case OPENDIR -> open.opendir(in, out);
            case READDIR -> open.readdir(in, out, false);
            case READDIRPLUS -> open.readdir(in, out, true);
            case RELEASEDIR -> open.releasedir(in);
            case FSYNCDIR -> open.fsyncdir(in);
            case FALLOCATE -> open.fallocate(in);
            case LSEEK -> open.seek(in, out);
            case GETLK -> locks.getlk(in, out);
            case SETLK, SETLKW -> {
                return locks.setlk(in, opcode);
            }
            case GETATTR -> attributes.getattr(in, out);
            case SETATTR -> attributes.setattr(in, out);
            case STATFS -> attributes.statfs(out);
            case SETXATTR -> attributes.setxattr(in);
            case GETXATTR -> attributes.getxattr(in, out);
            case LISTXATTR -> attributes.listxattr(in, out);
            case REMOVEXATTR -> attributes.removexattr(in);
            case DESTROY -> {}
        }
        return opcode.isAnswered() && opcode != Opcode.INTERRUPT;
    }

    /** A request that nobody serves may not have been read yet: the kernel is to ask again, if it still waits. */
    private void interrupt(long unique) throws ErrnoException {
        if (!interrupts.interrupt(unique)) {
            throw new ErrnoException(Errno.EAGAIN);
        }
    }
}
