// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import io.albm.core.node.NodeAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A number of users of one tree of documents; the same seed makes them ask for the same pages after the same silences. */
public final class Users {
    private static final long SEED_STRIDE = 1_000_003;

    private final DocumentTree documents;
    private final List<Document> byPopularity;
    private final Zipf popularity;

    /** Of that tree. */
    public Users(DocumentTree documents, long seed) {
        this.documents = documents;
        this.byPopularity = documents.shuffled(seed);
        this.popularity = new Zipf(byPopularity.size());
    }

    /** What they ask for. */
    public DocumentTree documents() {
        return documents;
    }

    /**
     * Lets them ask; answers are there when the last of them has gone home.
     *
     * @param settle time under load before it counts
     * @param run how long it counts
     */
    public Answers load(NodeAddress server, int count, long seed, Duration settle, Duration run)
            throws InterruptedException {
        long from = System.nanoTime() + settle.toNanos();
        long to = from + run.toNanos();
        Answers answers = new Answers(from, to);
        List<Thread> users = new ArrayList<>();
        for (int user = 0; user < count; user++) {
            long own = seed * SEED_STRIDE + user;
            users.add(Thread.ofVirtual().start(new UserEquivalent(server, byPopularity, popularity, own, to, answers)));
        }
        for (Thread user : users) {
            user.join();
        }
        return answers;
    }
}
