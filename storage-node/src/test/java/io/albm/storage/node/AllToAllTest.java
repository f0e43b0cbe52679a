// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Sender;
import io.albm.storage.WriteRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** All hosts of a cluster store on all of them at once, over links that are alike: a fluid model of links with real desks. */
class AllToAllTest {
    private static final int HOSTS = 16;
    private static final int BLOCK = 128 * 1024;
    private static final int BLOCKS_TO_EACH = 2;
    private static final double LINK = 3_125_000;
    private static final double SHARE = 0.94;
    private static final long STEP_NANOS = 1_000_000;

    /** From a grant until its first byte comes, at most, on busy hosts. */
    private static final long LATE_NANOS = 40 * STEP_NANOS;

    private final SplittableRandom random = new SplittableRandom(7);
    private final List<Sender> senders = IntStream.range(0, HOSTS)
            .mapToObj(i -> new Sender(random.nextLong(), false))
            .toList();
    private final List<CreditDesk> desks = new ArrayList<>();
    private final int[][] left = new int[HOSTS][HOSTS];
    private final double[][] sending = new double[HOSTS][HOSTS];
    private final double[][] paces = new double[HOSTS][HOSTS];
    private final int[][] heard = new int[HOSTS][HOSTS];
    private final int[][] begun = new int[HOSTS][HOSTS];
    private final Queue<Told> told = new PriorityQueue<>(Comparator.comparingLong(Told::at));

    private record Told(int host, int node, CreditDesk.Grant grant, long at) {}

    /**
     * @param places the hosts' phases are evenly spread over so many
     * @param lateNanos from a grant until its first byte comes, at most
     */
    private double secondsToStoreAll(int places, long lateNanos) {
        for (int host = 0; host < HOSTS; host++) {
            CreditDesk desk = new CreditDesk(CreditDesk.LEAST_MEMORY, new CreditCounters());
            double phase = (host % places + 0.5) / places;
            desk.pace(new WriteRate((long) (LINK * SHARE), HOSTS, phase, Duration.ofSeconds(60)), 0);
            desks.add(desk);
            Arrays.fill(left[host], BLOCKS_TO_EACH);
        }
        // Everybody's asks come a moment after those of the one before, in the same order at all nodes.
        senders.forEach(sender -> desks.forEach(desk -> desk.ask(sender, BLOCK, BLOCK, senders.indexOf(sender))));
        long now = HOSTS;
        for (; Arrays.stream(left).flatMapToInt(Arrays::stream).sum() > 0; now += STEP_NANOS) {
            grant(now, lateNanos);
            hear(now);
            send(now);
        }
        return now / 1e9;
    }

    private void grant(long now, long lateNanos) {
        for (int node = 0; node < HOSTS; node++) {
            for (CreditDesk.Grant grant : desks.get(node).grants(now)) {
                told.add(new Told(senders.indexOf(grant.sender()), node, grant, now + random.nextLong(lateNanos + 1)));
            }
        }
    }

    /** Who hears of a grant asks for the next block and sends. */
    private void hear(long now) {
        for (Told first = told.peek(); first != null && first.at() <= now; first = told.peek()) {
            told.remove();
            sending[first.host()][first.node()] += first.grant().bytes();
            paces[first.host()][first.node()] = first.grant().bytesPerSecond();
            if (++heard[first.host()][first.node()] < BLOCKS_TO_EACH) {
                desks.get(first.node()).ask(senders.get(first.host()), BLOCK, BLOCK, now);
            }
        }
    }

    /** Who would send more than its link carries sends less to all; so do those that would send a node more. */
    private void send(long now) {
        double step = LINK * STEP_NANOS / 1e9;
        double[][] wanted = new double[HOSTS][HOSTS];
        double[] coming = new double[HOSTS];
        for (int host = 0; host < HOSTS; host++) {
            double all = 0;
            for (int node = 0; node < HOSTS; node++) {
                wanted[host][node] = sending[host][node] > 0 ? paces[host][node] * STEP_NANOS / 1e9 : 0;
                all += wanted[host][node];
            }
            for (int node = 0; node < HOSTS; node++) {
                wanted[host][node] *= Math.min(1, step / all);
                coming[node] += wanted[host][node];
            }
        }
        for (int host = 0; host < HOSTS; host++) {
            for (int node = 0; node < HOSTS; node++) {
                if (sending[host][node] > 0) {
                    sending[host][node] -= wanted[host][node] * Math.min(1, step / coming[node]);
                    arrive(host, node, now);
                }
            }
        }
    }

    /** Blocks of one sender come one after the other. */
    private void arrive(int host, int node, long now) {
        sending[host][node] = Math.max(0, sending[host][node]);
        CreditDesk desk = desks.get(node);
        Sender sender = senders.get(host);
        double sent = heard[host][node] * (double) BLOCK - sending[host][node];
        for (; begun[host][node] < Math.ceil(sent / BLOCK); begun[host][node]++) {
            if (begun[host][node] > 0) {
                end(host, node, now);
            }
            assertThat(desk.begin(sender, BLOCK, now)).isTrue();
        }
        int missing = (int) (begun[host][node] * (double) BLOCK - sent);
        if (missing > 0) {
            desk.arriving(sender, missing);
        } else if (BLOCKS_TO_EACH - left[host][node] < begun[host][node]) {
            end(host, node, now);
        }
    }

    private void end(int host, int node, long now) {
        if (BLOCKS_TO_EACH - left[host][node] < begun[host][node]) {
            desks.get(node).arrived(senders.get(host), BLOCK);
            desks.get(node).end(senders.get(host), BLOCK, now);
            left[host][node]--;
        }
    }

    private static double atTheRate() {
        return HOSTS * BLOCKS_TO_EACH * BLOCK / (LINK * SHARE);
    }

    @Test
    void isStoredAtTheRateWhenNodesBeginTheirRoundsAtDifferentPlaces() {
        assertThat(secondsToStoreAll(HOSTS, 0)).isLessThan(1.05 * atTheRate());
    }

    @Test
    void takesLongerWhenAllNodesServeTheSameSendersAtATime() {
        assertThat(secondsToStoreAll(1, 0)).isGreaterThan(1.1 * atTheRate());
    }

    @Test
    void isStoredAtTheRateThoughGrantsAreLateByChance() {
        assertThat(secondsToStoreAll(HOSTS, LATE_NANOS)).isLessThan(1.01 * atTheRate());
    }
}
