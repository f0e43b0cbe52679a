// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.bench.load.SurgeSizes;
import io.albm.bench.load.Zipf;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Traces that need no file, each with another regularity that a policy may rely on or stumble over. Sizes are SURGE's
 * unless said otherwise. The same seed draws the same trace.
 */
enum GeneratedTrace {
    /** Requests as SURGE makes them (the load of paper P2): 2000 documents, popular by Zipf's law, independent. */
    SURGE("surge", 2000) {
        @Override
        void draw(int[] order, SplittableRandom random) {
            independent(order, documents(), random);
        }
    },

    /** Popularity that wanders: every 20 requests a popular document changes places with any other. */
    DRIFT("drift", 10_000) {
        @Override
        void draw(int[] order, SplittableRandom random) {
            Zipf popularity = new Zipf(10_000);
            int[] byRank = new int[10_000];
            for (int rank = 0; rank < byRank.length; rank++) {
                byRank[rank] = rank;
            }
            for (int i = 0; i < order.length; i++) {
                if (i % 20 == 0) {
                    int popular = popularity.next(random);
                    int any = random.nextInt(byRank.length);
                    int moved = byRank[popular];
                    byRank[popular] = byRank[any];
                    byRank[any] = moved;
                }
                order[i] = byRank[popularity.next(random)];
            }
        }
    },

    /** Of 5000 requests 1500 go through documents that hardly anyone else wants, one after the other. */
    SCAN("scan", 23_000) {
        @Override
        void draw(int[] order, SplittableRandom random) {
            Zipf popularity = new Zipf(3000);
            int scanned = 0;
            for (int i = 0; i < order.length; i++) {
                order[i] = i % 5000 < 1500 ? 3000 + scanned++ % 20_000 : popularity.next(random);
            }
        }
    },

    /** Every third request takes the next of 1500 documents in turns. */
    LOOP("loop", 4500) {
        @Override
        void draw(int[] order, SplittableRandom random) {
            Zipf popularity = new Zipf(3000);
            int turn = 0;
            for (int i = 0; i < order.length; i++) {
                order[i] = i % 3 == 0 ? 3000 + turn++ % 1500 : popularity.next(random);
            }
        }
    },

    /** Documents that come up, are asked for some times at a pace of their own, and are forgotten. */
    BURSTS("bursts", 30_000) {
        private record Due(long at, int document, int left, double pace) {}

        @Override
        void draw(int[] order, SplittableRandom random) {
            Zipf steady = new Zipf(500);
            PriorityQueue<Due> due = new PriorityQueue<>((one, other) -> Long.compare(one.at, other.at));
            int born = 500;
            for (int i = 0; i < order.length; i++) {
                Due next = due.peek();
                if (next != null && next.at <= i) {
                    due.remove();
                    order[i] = next.document;
                    again(due, i, next.document, next.left - 1, next.pace, random);
                } else if (born < documents() && random.nextInt(3) > 0) {
                    int requests = (int) Math.min(300, Math.pow(1 - random.nextDouble(), -1 / 1.1));
                    order[i] = born;
                    again(due, i, born++, requests - 1, Math.exp(2 + 6 * random.nextDouble()), random);
                } else {
                    order[i] = steady.next(random);
                }
            }
        }

        private void again(
                PriorityQueue<Due> due, int now, int document, int left, double pace, SplittableRandom random) {
            if (left > 0) {
                due.add(new Due(now + 1 + (long) (pace * random.nextExponential()), document, left, pace));
            }
        }
    },

    /** SURGE's popularity over documents of the same size. */
    EQUAL_SIZES("equal-sizes", 10_000) {
        @Override
        void draw(int[] order, SplittableRandom random) {
            independent(order, documents(), random);
        }

        @Override
        long[] sizes(SplittableRandom random) {
            return LongStream.generate(() -> 10_000).limit(documents()).toArray();
        }
    },

    /** The larger, the more popular. */
    POPULAR_LARGE("popular-large", 8000) {
        @Override
        void draw(int[] order, SplittableRandom random) {
            independent(order, documents(), random);
        }

        @Override
        long[] sizes(SplittableRandom random) {
            return LongStream.of(super.sizes(random))
                    .map(bytes -> -bytes)
                    .sorted()
                    .map(bytes -> -bytes)
                    .toArray();
        }
    },

    /** The smaller, the more popular. */
    POPULAR_SMALL("popular-small", 8000) {
        @Override
        void draw(int[] order, SplittableRandom random) {
            independent(order, documents(), random);
        }

        @Override
        long[] sizes(SplittableRandom random) {
            return LongStream.of(super.sizes(random)).sorted().toArray();
        }
    };

    private static final int LARGEST_BYTES = 64 << 20;

    private final String label;
    private final int documents;

    GeneratedTrace(String label, int documents) {
        this.label = label;
        this.documents = documents;
    }

    private static void independent(int[] order, int documents, SplittableRandom random) {
        Zipf popularity = new Zipf(documents);
        for (int i = 0; i < order.length; i++) {
            order[i] = popularity.next(random);
        }
    }

    /** As in the results. */
    String label() {
        return label;
    }

    int documents() {
        return documents;
    }

    /** Fills in the documents that are asked for, by number. */
    abstract void draw(int[] order, SplittableRandom random);

    /** Bytes by document. */
    long[] sizes(SplittableRandom random) {
        SurgeSizes sizes = new SurgeSizes(random, LARGEST_BYTES);
        return LongStream.generate(sizes::next).limit(documents).toArray();
    }

    Trace generate(long seed, int requests) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] sizes = sizes(random);
        List<Trace.Request> byDocument = new ArrayList<>(documents);
        for (int document = 0; document < documents; document++) {
            byDocument.add(new Trace.Request(document, sizes[document]));
        }
        int[] order = new int[requests];
        draw(order, random);
        List<Trace.Request> drawn = new ArrayList<>(requests);
        for (int document : order) {
            drawn.add(byDocument.get(document));
        }
        return new Trace(label, drawn);
    }
}
