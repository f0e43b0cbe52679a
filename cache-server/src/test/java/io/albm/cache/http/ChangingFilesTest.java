// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.http.RawClient.Response;
import io.albm.core.net.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that change on the disk while clients read them: no client gets bytes of two versions, or a tag of another. */
class ChangingFilesTest {
    private static final int CHANGES = 30;
    private static final int CLIENTS = 4;

    /** Between two changes of a document: from none, so that changes follow each other at once, to enough for it to be kept. */
    private static final int MOST_ANSWERS = 20;

    private static final int LARGE = 6 << 20;

    @TempDir
    private Path root;

    private Transport transport;
    private DocumentServer server;

    @BeforeEach
    void serve() throws IOException {
        transport = Transport.open(2);
        server = new DocumentServer(root, transport, HttpSettings.DEFAULTS, Duration.ZERO, false);
    }

    @AfterEach
    void close() {
        server.close();
        transport.close();
    }

    /** Kept and copied, kept as a file without a name, streamed, compressed when read, compressed beside the document. */
    @Test
    void mixesNoVersionsHoweverFilesChange() throws Exception {
        List<ChangingDocument> documents = List.of(
                new ChangingDocument(root.resolve("small.bin"), 3_000, false),
                new ChangingDocument(root.resolve("sent-as-file.bin"), 400_000, false),
                new ChangingDocument(root.resolve("streamed.bin"), 3_500_000, false),
                new ChangingDocument(root.resolve("page.html"), 30_000, false),
                new ChangingDocument(root.resolve("style.css"), 60_000, true));
        var whole = new AtomicInteger();
        var writing = new AtomicInteger(documents.size());

        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> all = new ArrayList<>();
            for (ChangingDocument document : documents) {
                all.add(threads.submit(write(document, writing)));
            }
            for (int i = 0; i < CLIENTS; i++) {
                all.add(threads.submit(ask(documents, i, writing, whole)));
            }
            awaitAll(all);
        }

        assertThat(whole).hasValueGreaterThan(CHANGES * documents.size());
    }

    private static Callable<Void> write(ChangingDocument document, AtomicInteger writing) {
        return () -> {
            List<FileChange> changes = List.of(FileChange.values());
            var random = new SplittableRandom(document.path().hashCode());
            try {
                for (int i = 0; i < CHANGES; i++) {
                    document.awaitAnswers(random.nextInt(MOST_ANSWERS));
                    document.change(changes.get(i % changes.size()));
                }
            } finally {
                writing.decrementAndGet();
            }
            return null;
        };
    }

    private Callable<Void> ask(List<ChangingDocument> documents, int seed, AtomicInteger writing, AtomicInteger whole) {
        return () -> {
            var random = new SplittableRandom(seed);
            while (writing.get() > 0) {
                ChangingDocument document = documents.get(random.nextInt(documents.size()));
                try (RawClient client = server.connect()) {
                    whole.addAndGet(document.ask(client) ? 1 : 0);
                }
            }
            return null;
        };
    }

    private static void awaitAll(List<Future<?>> all) throws InterruptedException, ExecutionException {
        for (Future<?> one : all) {
            one.get();
        }
    }

    @ParameterizedTest
    @EnumSource
    void cutsAWholeStreamThatItCannotEnd(FileChange change) throws Exception {
        byte[] promised = large();
        Response response = changedUnderWay(change, "Accept: */*");

        assertThat(response.header("content-length")).isEqualTo(Integer.toString(promised.length));
        assertThat(response.body()).hasSizeLessThan(promised.length);
        assertThat(Arrays.mismatch(promised, response.body())).isEqualTo(response.body().length);
    }

    @ParameterizedTest
    @EnumSource
    void cutsAStreamOfSeveralRangesThatItCannotEnd(FileChange change) throws Exception {
        large();
        Response response = changedUnderWay(change, "Range: bytes=0-9,100-%d".formatted(LARGE - 1));

        assertThat(response.status()).isEqualTo(206);
        assertThat(response.body()).hasSizeLessThan(LARGE);
    }

    private byte[] large() throws IOException {
        byte[] content = new byte[LARGE];
        new SplittableRandom(1).nextBytes(content);
        Files.write(root.resolve("large.bin"), content);
        return content;
    }

    /** The file changes when the head is out and the client has not taken the body. */
    private Response changedUnderWay(FileChange change, String field) throws IOException {
        Path file = root.resolve("large.bin");
        byte[] old = Files.readAllBytes(file);
        byte[] fresh = new byte[LARGE];
        try (RawClient client = server.connect()) {
            client.request("GET", "/large.bin", field);
            client.awaitFirstByte();
            change.apply(file, old, change.next(old, fresh));
            Response response = client.receive(true);
            assertThat(client.isAtEnd()).isTrue();
            assertThat(server.http.stats().cutResponses()).isEqualTo(1);
            return response;
        }
    }
}
