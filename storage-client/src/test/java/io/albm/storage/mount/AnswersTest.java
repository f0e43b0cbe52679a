// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.storage.FileTable;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnswersTest {
    private static final TableCommand.Begin COMMAND = new TableCommand.Begin("0".repeat(32));

    /** Whoever waits for it is interrupted once. */
    private static final class InterruptedOnce<T> extends CompletableFuture<T> {
        private boolean isOver;

        @Override
        public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            if (!isOver) {
                isOver = true;
                throw new InterruptedException();
            }
            return super.get(timeout, unit);
        }
    }

    private static Answers answers(CompletableFuture<? extends TableAnswer> answer) {
        FileTable table = new FileTable() {
            @Override
            public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
                return answer.thenApply(request.answer()::cast);
            }
        };
        return new Answers(table, Duration.ofMillis(10));
    }

    @Test
    void hearsTheOutcomeOfAChangeBeforeItHearsOfAnInterrupt() throws Exception {
        InterruptedOnce<TableAnswer.Done> answer = new InterruptedOnce<>();
        answer.complete(new TableAnswer.Done());
        FileTable table = new FileTable() {
            @Override
            @SuppressWarnings("unchecked") // the test asks for nothing else
            public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
                return (CompletableFuture<A>) answer;
            }
        };
        assertThat(new Answers(table, Duration.ofSeconds(10)).ask(COMMAND)).isEqualTo(new TableAnswer.Done());
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void stopsWaitingForAnAnswerWhenItIsInterrupted() {
        InterruptedOnce<TableAnswer.Used> answer = new InterruptedOnce<>();
        answer.complete(new TableAnswer.Used(1, 2));
        assertThatThrownBy(() -> answers(answer).await(answer)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void waitsForABoundedTime() {
        assertThatThrownBy(() -> answers(new CompletableFuture<>()).ask(new TableQuery.Usage()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not answer");
    }

    @ParameterizedTest
    @CsvSource({
        "NO_ENTRY, ENOENT",
        "EXISTS, EEXIST",
        "NOT_DIRECTORY, ENOTDIR",
        "IS_DIRECTORY, EISDIR",
        "NOT_EMPTY, ENOTEMPTY",
        "INVALID, EINVAL",
        "NAME_TOO_LONG, ENAMETOOLONG",
        "TOO_MANY_LINKS, EMLINK",
        "NO_ATTRIBUTE, ENODATA",
        "STALE, ESTALE",
        "CHANGED, ESTALE",
        "FULL, ENOSPC",
        "LOCKED, EAGAIN",
        "NO_LOCKS, ENOLCK"
    })
    void saysWhyTheTableRefuses(TableRefusal.Reason reason, Errno errno) {
        Answers answers = answers(CompletableFuture.failedFuture(new TableRefusal(reason, "as the test wants it")));
        assertThatExceptionOfType(ErrnoException.class)
                .isThrownBy(() -> answers.ask(COMMAND))
                .satisfies(failure -> assertThat(failure.errno()).isEqualTo(errno));
    }
}
