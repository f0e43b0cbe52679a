// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

/** Why a read or a commit did not happen, or may not have happened. An answer to handle, not a programmer's error. */
public abstract sealed class CoordinationException extends RuntimeException {
    private CoordinationException(String message) {
        super(message);
    }

    /** A node to set, delete or check is not there. Nothing was changed. */
    public static final class NoSuchNode extends CoordinationException {
        public NoSuchNode(String path) {
            super("no node " + path);
        }
    }

    /** A node to create is there already, or one to delete still has children. Nothing was changed. */
    public static final class NodeExists extends CoordinationException {
        public NodeExists(String path) {
            super("node " + path + " exists");
        }
    }

    /** A node has another version than the commit said: somebody else decided first. Nothing was changed. */
    public static final class VersionConflict extends CoordinationException {
        public VersionConflict(String path) {
            super("node " + path + " was changed by another");
        }
    }

    /** The connection broke after the commit was sent: it happened wholly or not at all. Read before deciding. */
    public static final class OutcomeUnknown extends CoordinationException {
        public OutcomeUnknown(String message) {
            super(message);
        }
    }

    /** The directory does not answer. Nothing was changed. */
    public static final class Unavailable extends CoordinationException {
        public Unavailable(String message) {
            super(message);
        }
    }
}
