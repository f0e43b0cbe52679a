// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.concurrent.CompletableFuture;

/**
 * The names of the single I/O space, and what each stands for. Writers announce a generation with
 * {@link TableCommand.Begin} before its first block, and the announcement ends in the step that stores or publishes it, so
 * that at every moment a generation is announced, or in the table, or garbage.
 *
 * <p>Thread-safe, never blocks.
 */
public interface FileTable {
    /**
     * Asks a question, or makes a change, which is durable when the answer comes.
     *
     * @return fails with {@link TableRefusal} if nothing was changed because of what is in the table, and with
     *     {@link StorageException.TableUnavailable} or {@link StorageException.OutcomeUnknown} if the table cannot be
     *     reached
     */
    <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request);

    /**
     * The same table for a client who need not know at once that a change is durable: it is answered when it survives the loss
     * of one node, and durable some milliseconds later, or when {@link #sync} says so.
     */
    default FileTable early() {
        return this;
    }

    /**
     * Waits until all that this client was answered is durable.
     *
     * @return fails with {@link StorageException.AnswersLost}, from then on always, if some of it never will be
     */
    default CompletableFuture<Void> sync() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Gives back what the table keeps for this client alone, for who asks nothing more for now: others need not wait for it. What
     * is asked later is answered as before.
     *
     * @return never fails; what could not be given back ends by itself within seconds
     */
    default CompletableFuture<Void> leave() {
        return CompletableFuture.completedFuture(null);
    }
}
