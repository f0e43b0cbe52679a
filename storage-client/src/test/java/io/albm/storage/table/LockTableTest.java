// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.json.Json;
import io.albm.storage.LockOwner;
import io.albm.storage.LockOwner.Kind;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockTableTest {
    private static final long FILE = 7;

    private LockTable locks = new LockTable();

    private static LockOwner owner(Kind kind, long number) {
        return new LockOwner(kind, number);
    }

    private static RangeLock lock(long number, long start, long end, boolean exclusive) {
        return new RangeLock(owner(Kind.POSIX, number), new LockRange(start, end), exclusive, 1);
    }

    private List<String> held() {
        return held(locks);
    }

    private static List<String> held(LockTable locks) {
        List<String> held = new ArrayList<>();
        locks.save(line -> {
            SavedLine.Locked locked = (SavedLine.Locked) line;
            RangeLock lock = locked.lock();
            held.add(locked.client() + lock.owner().number() + " "
                    + lock.range().start() + "-" + lock.range().end() + (lock.exclusive() ? " exclusive" : ""));
        });
        return held;
    }

    private static void refused(Reason reason, ThrowingCallable step) {
        assertThatExceptionOfType(TableRefusal.class)
                .isThrownBy(step)
                .extracting(TableRefusal::reason)
                .isEqualTo(reason);
    }

    @Test
    void aNewLockTakesThePlaceOfOldOnesAndJoinsItsNeighbours() {
        locks.lock("a", FILE, lock(1, 0, 99, false));
        locks.lock("a", FILE, lock(1, 40, 59, true));
        assertThat(held()).containsExactly("a1 0-39", "a1 40-59 exclusive", "a1 60-99");
        locks.lock("a", FILE, lock(1, 60, 79, true));
        assertThat(held()).containsExactly("a1 0-39", "a1 40-79 exclusive", "a1 80-99");
        locks.lock("a", FILE, lock(1, 100, 200, false));
        assertThat(held()).containsExactly("a1 0-39", "a1 40-79 exclusive", "a1 80-200");
        locks.lock("a", FILE, lock(1, 40, 79, false));
        assertThat(held()).containsExactly("a1 0-200");
    }

    @Test
    void anUnlockInTheMiddleSplitsALock() {
        locks.lock("a", FILE, lock(1, 0, Long.MAX_VALUE, true));
        assertThat(locks.unlock("a", FILE, owner(Kind.POSIX, 1), new LockRange(10, 19)))
                .isTrue();
        assertThat(held()).containsExactly("a1 0-9 exclusive", "a1 20-" + Long.MAX_VALUE + " exclusive");
        assertThat(locks.unlock("a", FILE, owner(Kind.POSIX, 1), LockRange.ALL)).isFalse();
        assertThat(held()).isEmpty();
        assertThat(locks.clients()).isEmpty();
    }

    @Test
    void ownersAreThoseOfAClientAndOfAKind() {
        locks.lock("a", FILE, lock(1, 0, 9, true));

        refused(Reason.LOCKED, () -> locks.lock("b", FILE, lock(1, 9, 20, false)));
        refused(Reason.LOCKED, () -> locks.lock("a", FILE, lock(2, 0, 0, true)));
        locks.lock("b", FILE, lock(1, 10, 20, true));
        locks.lock("b", FILE, new RangeLock(owner(Kind.FLOCK, 1), LockRange.ALL, true, 1));
        locks.lock("b", FILE + 1, lock(1, 0, 9, true));

        assertThat(held()).hasSize(4);
    }

    @Test
    void theFirstLockInTheWayIsTold() {
        locks.lock("b", FILE, lock(1, 20, 29, false));
        locks.lock("a", FILE, lock(1, 40, 49, true));

        assertThat(locks.blocker("c", FILE, lock(1, 0, 100, false)).client()).isEqualTo("a");
        assertThat(locks.blocker("c", FILE, lock(1, 0, 100, true)).by()).isEqualTo(lock(1, 20, 29, false));
        assertThat(locks.blocker("a", FILE, lock(1, 30, 100, true)).by()).isNull();
        assertThat(locks.blocker(null, FILE, lock(1, 49, 49, true)).client()).isEqualTo("a");
    }

    @Test
    void aClientAndAFileAndTheTableHaveSoManyLocks() {
        for (long client = 0; client * LockTable.MOST_PER_CLIENT < LockTable.MOST; client++) {
            for (long file = 0; file * LockTable.MOST_PER_FILE < LockTable.MOST_PER_CLIENT; file++) {
                fill("c" + client, client * 100 + file);
            }
            String full = "c" + client;
            long inode = client * 100;
            refused(Reason.NO_LOCKS, () -> locks.lock(full, 100_000, lock(1, 0, 0, true)));
            refused(Reason.NO_LOCKS, () -> locks.unlock(full, inode, owner(Kind.POSIX, 1), new LockRange(1, 1)));
            locks.lock(full, inode, lock(1, 0, 1, true));
        }
        refused(Reason.NO_LOCKS, () -> locks.lock("other", 100_000, lock(1, 0, 0, true)));
        assertThat(held()).hasSize(LockTable.MOST);

        locks.endAll("c0");
        locks.drop(100);
        fill("other", 7);
        refused(Reason.NO_LOCKS, () -> locks.lock("another", 7, lock(1, 1_000_000, 1_000_000, true)));
    }

    /** Each of three bytes, with one between it and the next. */
    private void fill(String client, long inode) {
        for (long i = 0; i < LockTable.MOST_PER_FILE; i++) {
            locks.lock(client, inode, lock(1, 4 * i, 4 * i + 2, true));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void doesWhatAByteByByteModelDoes(long seed) {
        Random random = new Random(seed);
        Model model = new Model();
        for (int step = 0; step < 5000; step++) {
            int whose = random.nextInt(Model.OWNERS);
            int from = random.nextInt(Model.BYTES);
            int to = from + random.nextInt(Model.BYTES - from);
            boolean exclusive = random.nextBoolean();
            RangeLock lock = new RangeLock(Model.owner(whose), Model.range(from, to), exclusive, 1);
            String client = Model.client(whose);
            boolean blocked = model.isBlocked(whose, from, to, exclusive);
            assertThat(locks.blocker(client, FILE, lock).by() != null)
                    .as("step %d", step)
                    .isEqualTo(blocked);
            switch (random.nextInt(20)) {
                case 0 -> {
                    locks.endAll(client);
                    model.endAll(client);
                }
                case 1 -> reload();
                case 2, 3, 4, 5, 6 -> {
                    boolean any = locks.unlock(client, FILE, lock.owner(), lock.range());
                    model.set(whose, from, to, Model.FREE);
                    assertThat(any).isEqualTo(model.hasAny(whose));
                }
                default -> {
                    if (blocked) {
                        refused(Reason.LOCKED, () -> locks.lock(client, FILE, lock));
                    } else {
                        locks.lock(client, FILE, lock);
                        model.set(whose, from, to, exclusive ? Model.EXCLUSIVE : Model.SHARED);
                    }
                }
            }
            assertThat(held()).as("seed %d, step %d", seed, step).containsExactlyInAnyOrderElementsOf(model.held());
        }
        assertThatCode(() -> locks.drop(FILE)).doesNotThrowAnyException();
        assertThat(held()).isEmpty();
    }

    private void reload() {
        List<String> lines = new ArrayList<>();
        locks.save(line -> lines.add(Json.text(line)));
        locks = new LockTable();
        lines.forEach(line -> locks.load((SavedLine.Locked) Json.read(line, SavedLine.class)));
    }

    /** What each owner has of each byte; the last one stands for all from there on. */
    private static final class Model {
        static final int OWNERS = 6;
        static final int BYTES = 24;
        static final int FREE = 0;
        static final int SHARED = 1;
        static final int EXCLUSIVE = 2;

        private final Map<Integer, int[]> byOwner = new HashMap<>();

        Model() {
            for (int whose = 0; whose < OWNERS; whose++) {
                byOwner.put(whose, new int[BYTES]);
            }
        }

        static String client(int whose) {
            return "c" + whose % 2;
        }

        /** Two of the six are of the other kind. */
        static LockOwner owner(int whose) {
            return new LockOwner(whose < 4 ? Kind.POSIX : Kind.FLOCK, whose);
        }

        static LockRange range(int from, int to) {
            return new LockRange(from, to == BYTES - 1 ? Long.MAX_VALUE : to);
        }

        private int[] of(int whose) {
            return byOwner.getOrDefault(whose, new int[0]);
        }

        boolean isBlocked(int whose, int from, int to, boolean exclusive) {
            for (int other = 0; other < OWNERS; other++) {
                for (int at = from; at <= to && other != whose; at++) {
                    if (owner(other).kind() == owner(whose).kind()
                            && of(other)[at] != FREE
                            && (exclusive || of(other)[at] == EXCLUSIVE)) {
                        return true;
                    }
                }
            }
            return false;
        }

        void set(int whose, int from, int to, int mode) {
            Arrays.fill(of(whose), from, to + 1, mode);
        }

        boolean hasAny(int whose) {
            return Arrays.stream(of(whose)).anyMatch(mode -> mode != FREE);
        }

        void endAll(String client) {
            byOwner.forEach((whose, bytes) -> {
                if (client(whose).equals(client)) {
                    Arrays.fill(bytes, FREE);
                }
            });
        }

        List<String> held() {
            List<String> held = new ArrayList<>();
            byOwner.forEach((whose, bytes) -> {
                for (int from = 0; from < BYTES; from++) {
                    int to = from;
                    while (to + 1 < BYTES && bytes[to + 1] == bytes[from]) {
                        to++;
                    }
                    if (bytes[from] != FREE) {
                        LockRange range = range(from, to);
                        held.add(client(whose) + whose + " " + range.start() + "-" + range.end()
                                + (bytes[from] == EXCLUSIVE ? " exclusive" : ""));
                    }
                    from = to;
                }
            });
            return held;
        }
    }
}
