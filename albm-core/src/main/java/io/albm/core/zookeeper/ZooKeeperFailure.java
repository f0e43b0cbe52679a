// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import java.util.concurrent.CompletionException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** What ZooKeeper answered instead of doing it. Internal: callers outside see coordination exceptions. */
abstract sealed class ZooKeeperFailure extends RuntimeException {
    private final String message;

    private ZooKeeperFailure(String message) {
        super(message, null, false, false);
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }

    @Override
    public String toString() {
        return message;
    }

    static ZooKeeperFailure of(Code code, String path, int operation) {
        return switch (code) {
            case CONNECTIONLOSS, SESSIONEXPIRED, OPERATIONTIMEOUT, SESSIONMOVED, REQUESTTIMEOUT ->
                new ConnectionBroke(code + " at " + path);
            default -> new Refused(code, path, operation);
        };
    }

    /** What a future failed with, without the wrapping that depends on how the future was built. */
    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    static boolean is(@Nullable Throwable failure, Code code) {
        return failure != null && cause(failure) instanceof Refused refused && refused.code() == code;
    }

    /** It may have been done or not. */
    static final class ConnectionBroke extends ZooKeeperFailure {
        ConnectionBroke(String message) {
            super(message);
        }
    }

    /** Nothing was changed. */
    static final class Refused extends ZooKeeperFailure {
        private final Code code;
        private final int operation;

        private Refused(Code code, String path, int operation) {
            super(code + " at " + path);
            this.code = code;
            this.operation = operation;
        }

        Code code() {
            return code;
        }

        /** Which operation of a transaction was refused; 0 for a single one. */
        int operation() {
            return operation;
        }
    }
}
