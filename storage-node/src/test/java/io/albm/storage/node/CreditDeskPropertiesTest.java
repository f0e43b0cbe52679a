// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Credit;
import io.albm.storage.Sender;
import io.albm.storage.WriteRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Senders that ask, send, stop, leave and come back by chance; what must hold is looked at after each step. */
class CreditDeskPropertiesTest {
    private static final int STEPS = 20_000;
    private static final int MIB = 1 << 20;
    private static final int MOST_ASKED = 4 * MIB;
    private static final int MEMORY = 16 * MIB;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final CreditCounters counters = new CreditCounters();
    private final CreditDesk desk = new CreditDesk(MEMORY, counters);
    private final Map<Sender, Client> clients = new HashMap<>();
    private final List<Block> blocks = new ArrayList<>();
    private final List<Granted> granted = new ArrayList<>();
    private long now = Long.MAX_VALUE - 1000 * MILLI;
    private long used;

    private record Block(Sender sender, int bytes) {}

    private record Granted(long at, int bytes) {}

    /** What the model knows of a sender. */
    private static final class Client {
        private final Credit credit = new Credit(Credit.NODE_NANOS);
        private int wanted;
        private boolean listens;

        /** Granted to others of its kind since it asked. */
        private final Map<Sender, Long> passedBy = new HashMap<>();
    }

    private static Sender sender(Random random) {
        int id = random.nextInt(12);
        return new Sender(id, id % 4 == 3);
    }

    private void step(Random random) {
        now += random.nextInt(20) * MILLI / 4;
        Sender sender = sender(random);
        Client client = clients.computeIfAbsent(sender, unknown -> new Client());
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> ask(sender, client, 1 + random.nextInt(MOST_ASKED));
            case 3, 4, 5, 6 -> send(sender, client, 1 + random.nextInt(MOST_ASKED));
            case 7, 8, 9 -> write(random);
            case 10 -> pause(sender, client);
            default -> leaveOrExpire(random, sender, client);
        }
        desk.grants(now).forEach(this::grant);
        check();
    }

    private void ask(Sender sender, Client client, int bytes) {
        desk.ask(sender, bytes, bytes, now);
        client.wanted = bytes;
        client.listens = true;
    }

    private void pause(Sender sender, Client client) {
        desk.pause(sender, now);
        client.listens = false;
        client.passedBy.clear();
    }

    private void send(Sender sender, Client client, int bytes) {
        client.credit.expire(now);
        boolean hasCredit = bytes <= client.credit.bytes();
        long grantedBefore = counters.granted().sum();
        boolean isLetIn = desk.begin(sender, bytes, now);
        if (hasCredit) {
            assertThat(isLetIn).as("what was granted is taken").isTrue();
            client.credit.use(bytes);
        }
        if (isLetIn) {
            desk.arriving(sender, bytes / 2);
            blocks.add(new Block(sender, bytes));
            used += bytes;
            note(counters.granted().sum() - grantedBefore);
        }
    }

    private void write(Random random) {
        if (!blocks.isEmpty()) {
            Block block = blocks.remove(random.nextInt(blocks.size()));
            desk.arrived(block.sender(), block.bytes());
            desk.end(block.sender(), block.bytes(), now);
            desk.grants(now).forEach(this::grant);
            int ahead = desk.ahead(block.sender(), block.bytes(), now);
            clients.computeIfAbsent(block.sender(), unknown -> new Client())
                    .credit
                    .add(ahead, now);
            note(ahead);
        }
    }

    private void leaveOrExpire(Random random, Sender sender, Client client) {
        if (random.nextInt(3) > 0) {
            desk.expire(now);
            return;
        }
        desk.leave(sender, now);
        clients.remove(sender);
        client.wanted = 0;
    }

    private void grant(CreditDesk.Grant grant) {
        Client client = Objects.requireNonNull(clients.get(grant.sender()), "granted to one who is not there");
        assertThat(grant.bytes()).as("what was asked for").isEqualTo(client.wanted);
        assertThat(client.listens).as("who hears of it").isTrue();
        client.credit.add(grant.bytes(), now);
        client.wanted = 0;
        client.listens = false;
        client.passedBy.clear();
        note(grant.bytes());
        clients.forEach((other, waiting) -> {
            if (waiting.listens
                    && waiting.wanted > 0
                    && other.background() == grant.sender().background()) {
                long passed = waiting.passedBy.merge(grant.sender(), (long) grant.bytes(), Long::sum);
                assertThat(passed)
                        .as("%s passed by %s", other, grant.sender())
                        .isLessThanOrEqualTo(waiting.wanted + MOST_ASKED + 2L * CreditQueue.QUANTUM);
            }
        });
    }

    private void note(long bytes) {
        if (bytes > 0) {
            granted.add(new Granted(now, (int) bytes));
        }
    }

    private void check() {
        CreditDesk.Status status = desk.status(now);
        long inMemory = blocks.stream().mapToLong(Block::bytes).sum();
        assertThat(status.out()).isBetween(0L, (long) MEMORY);
        assertThat(status.out()).as("what is in memory or may come").isEqualTo(inMemory + status.unused());
        assertThat(counters.granted().sum())
                .as("nothing that was granted is lost")
                .isEqualTo(used + status.unused() + counters.expired().sum());
        long background = blocks.stream()
                .filter(block -> block.sender().background())
                .mapToLong(Block::bytes)
                .sum();
        assertThat(background).isLessThanOrEqualTo(Math.max(MEMORY / 4, MOST_ASKED));
    }

    private void end() {
        blocks.forEach(block -> desk.end(block.sender(), block.bytes(), now));
        clients.keySet().forEach(sender -> desk.leave(sender, now));
        assertThat(desk.status(now))
                .isEqualTo(new CreditDesk.Status(0, 0, 0, desk.status(now).bytesPerSecond()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void neverHasMoreOutThanItsMemoryAndLosesNothing(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < STEPS; i++) {
            step(random);
        }
        end();
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void keepsItsRateOverEachWindow(long seed) {
        Random random = new Random(seed);
        long bytesPerSecond = MIB * (1L + random.nextInt(20));
        for (int i = 0; i < STEPS / 10; i++) {
            if (i % 50 == 0) {
                desk.pace(new WriteRate(bytesPerSecond, 1, 0, Duration.ofSeconds(30)), now);
            }
            step(random);
        }
        double block = PacedGrants.BLOCK_NANOS / 1e9;
        for (int first = 0; first < granted.size(); first++) {
            long bytes = 0;
            for (int last = first; last < granted.size(); last++) {
                bytes += granted.get(last).bytes();
                double seconds = (granted.get(last).at() - granted.get(first).at()) / 1e9;
                assertThat((double) bytes)
                        .as("seed %d, %d to %d", seed, first, last)
                        .isLessThanOrEqualTo(bytesPerSecond * (seconds + 2 * block) + 2 * MOST_ASKED);
            }
        }
        end();
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void grantsEveryoneSomethingWhoeverElseWants(long seed) {
        Random random = new Random(seed);
        Map<Sender, Integer> grants = new HashMap<>();
        List<Sender> senders = new ArrayList<>();
        for (int id = 0; id < 40; id++) {
            senders.add(new Sender(id, id % 5 == 4));
        }
        senders.forEach(sender -> desk.ask(sender, 1 + random.nextInt(MOST_ASKED), 1, now));
        for (int i = 0; i < STEPS; i++) {
            for (CreditDesk.Grant grant : desk.grants(now)) {
                assertThat(desk.begin(grant.sender(), grant.bytes(), now)).isTrue();
                blocks.add(new Block(grant.sender(), grant.bytes()));
                grants.merge(grant.sender(), 1, Integer::sum);
                desk.ask(grant.sender(), 1 + random.nextInt(MOST_ASKED), 1, now);
            }
            Block written = blocks.remove(random.nextInt(blocks.size()));
            desk.end(written.sender(), written.bytes(), now);
        }
        assertThat(grants).containsOnlyKeys(senders);
        assertThat(grants.values()).allMatch(count -> count > 100);
    }
}
