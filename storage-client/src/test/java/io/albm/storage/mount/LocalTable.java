// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.core.json.Json;
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
 * One client's way to a file table in this process. What is asked and answered goes through the text that a network would
 * carry.
 *
 * @param onTheWay what happens between an answer and its arrival
 */
public record LocalTable(TableState state, String client, Consumer<TableRequest<?>> onTheWay) implements FileTable {
    @Override
    public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
        try {
            TableAnswer given = answer(carried(request));
            A answer = request.answer().cast(Json.read(Json.bytes(given), TableAnswer.class));
            onTheWay.accept(request);
            return CompletableFuture.completedFuture(answer);
        } catch (TableRefusal refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    private static TableRequest<?> carried(TableRequest<?> request) {
        byte[] text = Json.bytes(request);
        return switch (request) {
            case TableCommand<?> _ -> Json.read(text, TableCommand.class);
            case TableQuery<?> _ -> Json.read(text, TableQuery.class);
        };
    }

    private TableAnswer answer(TableRequest<?> request) {
        synchronized (state) {
            return switch (request) {
                case TableCommand<?> command -> state.apply(client, command, Instant.now());
                case TableQuery<?> query -> state.answer(client, query);
            };
        }
    }
}
