// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;

/** The answer of an operation that fails as it should. Has no stack trace: it is a result, and often asked for. */
public final class ErrnoException extends IOException {
    private final Errno errno;

    public ErrnoException(Errno errno) {
        super(errno.name());
        this.errno = errno;
    }

    public Errno errno() {
        return errno;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
