// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns whatever an operation throws into an errno. What no errno was meant for is logged with its trace when an operation
 * first fails with its type, and not again: a broken disk does not fill another. Thread-safe.
 */
final class Failures {
    private static final Logger log = LoggerFactory.getLogger(Failures.class);

    private record Kind(Opcode opcode, Class<?> failure) {}

    private final Set<Kind> known = ConcurrentHashMap.newKeySet();

    Errno errno(Opcode opcode, Throwable failure) {
        return switch (failure) {
            case ErrnoException meant -> meant.errno();
            case InterruptedException _, InterruptedIOException _, ClosedByInterruptException _ -> Errno.EINTR;
            default -> unknown(opcode, failure);
        };
    }

    private Errno unknown(Opcode opcode, Throwable failure) {
        if (known.add(new Kind(opcode, failure.getClass()))) {
            log.error("{} failed, and was answered with EIO; more of this kind are not logged", opcode, failure);
        }
        return Errno.EIO;
    }
}
