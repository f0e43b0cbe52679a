// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.FileTable;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRequest;
import io.albm.storage.table.TableState;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One client's way to a file table in this process.
 *
 * @param onTheWay what happens between an answer and its arrival
 */
public record LocalTable(TableState state, String client, Consumer<TableRequest<?>> onTheWay) implements FileTable {
    @Override
    public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
        try {
            A answer = request.answer().cast(answer(request));
            onTheWay.accept(request);
            return CompletableFuture.completedFuture(answer);
        } catch (TableRefusal refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    private TableAnswer answer(TableRequest<?> request) {
        synchronized (state) {
            return switch (request) {
                case TableCommand<?> command -> state.apply(client, command, Instant.now());
                case TableQuery<?> query -> state.answer(query);
            };
        }
    }
}
