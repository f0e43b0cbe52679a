// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The limit: a cache that knows the whole trace. It evicts the document with the largest product of size and distance
 * to its next request, and admits a newcomer only if all that it displaces are worse. With equal sizes this is
 * Belady's rule and optimal; with different ones the optimum is NP-hard, and this comes close to it.
 *
 * <p>All residents are compared for every victim, up to {@value #MOST_COMPARED}; beyond, as many drawn ones.
 */
final class BeladySize {

    static final String NAME = "belady-size";

    private static final int MOST_COMPARED = 4096;
    private static final long NEVER = Long.MAX_VALUE;

    private static final class Resident {
        private final Trace.Request request;
        private long next;

        private Resident(Trace.Request request) {
            this.request = request;
        }

        private double score(long now) {
            return next == NEVER ? Double.POSITIVE_INFINITY : (double) Math.max(1, request.bytes()) * (next - now);
        }
    }

    private final Map<Integer, Resident> index = new HashMap<>();
    private final List<Resident> residents = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Trace.Request> requests;
    private final long capacityBytes;
    private long residentBytes;
    private long reads;
    private long bytes;
    private long readBytes;

    private BeladySize(List<Trace.Request> requests, long capacityBytes) {
        this.requests = requests;
        this.capacityBytes = capacityBytes;
    }

    static Served run(List<Trace.Request> requests, long capacityBytes) {
        return new BeladySize(requests, capacityBytes).serve();
    }

    private Served serve() {
        long[] next = nextRequests();
        for (int now = 0; now < next.length; now++) {
            Trace.Request request = requests.get(now);
            bytes += request.bytes();
            Resident resident = index.get(request.document());
            if (resident == null) {
                reads++;
                readBytes += request.bytes();
                offer(request, now, next[now]);
            } else {
                resident.next = next[now];
            }
        }
        return new Served(next.length, reads, bytes, readBytes);
    }

    private long[] nextRequests() {
        long[] next = new long[requests.size()];
        Map<Integer, Long> upcoming = new HashMap<>();
        for (int i = next.length - 1; i >= 0; i--) {
            Long later = upcoming.put(requests.get(i).document(), (long) i);
            next[i] = later == null ? NEVER : later;
        }
        return next;
    }

    private void offer(Trace.Request request, long now, long next) {
        if (next == NEVER || request.bytes() > capacityBytes) {
            return;
        }
        Resident newcomer = new Resident(request);
        newcomer.next = next;
        if (makeRoom(request.bytes(), newcomer.score(now), now)) {
            index.put(request.document(), newcomer);
            residents.add(newcomer);
            residentBytes += request.bytes();
        }
    }

    private boolean makeRoom(long room, double leastScore, long now) {
        List<Resident> victims = new ArrayList<>();
        long free = capacityBytes - residentBytes;
        while (free < room) {
            int worst = worst(now);
            Resident victim = residents.get(worst);
            if (victim.score(now) <= leastScore) {
                residents.addAll(victims);
                return false;
            }
            residents.set(worst, residents.getLast());
            residents.removeLast();
            victims.add(victim);
            free += victim.request.bytes();
        }
        victims.forEach(victim -> index.remove(victim.request.document()));
        residentBytes = capacityBytes - free;
        return true;
    }

    private int worst(long now) {
        int compared = Math.min(residents.size(), MOST_COMPARED);
        int worst = 0;
        double highest = -1;
        for (int i = 0; i < compared; i++) {
            int place = compared < residents.size() ? random.nextInt(residents.size()) : i;
            double score = residents.get(place).score(now);
            if (score > highest) {
                highest = score;
                worst = place;
            }
        }
        return worst;
    }
}
