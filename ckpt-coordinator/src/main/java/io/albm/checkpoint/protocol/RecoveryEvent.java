// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/** What an operator must hear while a job goes back. */
public sealed interface RecoveryEvent {
    /** Stored data of a committed checkpoint is gone or wrong; the next older one is tried. */
    record Corrupt(long number, String reason) implements RecoveryEvent {}

    /** Something cannot be reached; the job waits instead of going further back. */
    record Waiting(String reason) implements RecoveryEvent {}
}
