// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.TableQuery;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopiedDirectoryTest {
    private final TreeMap<String, Long> there = new TreeMap<>();
    private final CopiedDirectory copy = new CopiedDirectory(7, 1, 1, null, true);

    /** Answers what the copy asks. */
    private int learn(String name) {
        TableQuery.LookAhead ahead = copy.lookAhead(name);
        List<Map.Entry<String, Long>> rest =
                List.copyOf(there.tailMap(name, true).entrySet());
        List<Map.Entry<String, Long>> found = rest.subList(0, Math.min(rest.size(), ahead.limit()));
        found.forEach(entry -> copy.bind(entry.getKey(), entry.getValue()));
        copy.learn(ahead, found.size() < rest.size() ? found.getLast().getKey() : null);
        return ahead.limit();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void neverSaysOfANameWhatIsNotSo(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            there.put(name(random), i + 1L);
        }
        int known = 0;
        for (int step = 0; step < 3000; step++) {
            String name = name(random);
            long inode = copy.inodeOf(name);
            if (inode == KnownNames.UNKNOWN) {
                learn(name);
                assertThat(copy.inodeOf(name)).isNotEqualTo(KnownNames.UNKNOWN);
            } else {
                known++;
                assertThat(inode).as(name).isEqualTo(there.getOrDefault(name, KnownNames.ABSENT));
                change(name, inode, 1000 + step);
            }
        }
        assertThat(known).isGreaterThan(1500);
        assertThat(copy.names()).isLessThanOrEqualTo(there.size());
    }

    private void change(String name, long inode, long next) {
        if (inode == KnownNames.ABSENT) {
            there.put(name, next);
            copy.bind(name, next);
        } else {
            there.remove(name);
            copy.unbind(name);
        }
    }

    private static String name(Random random) {
        return Integer.toString(random.nextInt(2000), 7);
    }

    private void fill(int files) {
        for (int i = 0; i < files; i++) {
            there.put("f-%05d".formatted(i), i + 1L);
        }
    }

    @Test
    void whoTakesNamesInTheirOrderAsksSeldom() {
        fill(5000);
        int questions = 0;
        for (Iterator<String> names = there.keySet().iterator(); names.hasNext(); ) {
            String name = names.next();
            copy.use(name);
            if (copy.inodeOf(name) == KnownNames.UNKNOWN) {
                learn(name);
                questions++;
            }
        }
        assertThat(questions).isLessThan(30);
    }

    @Test
    void whoTakesNamesHereAndThereAsksForOneAtATime() {
        fill(100);
        assertThat(learn("f-00050")).isEqualTo(1);
        assertThat(learn("f-00010")).isEqualTo(1);
        assertThat(learn("f-00051")).as("behind the first").isEqualTo(2);
        assertThat(learn("f-00011")).as("behind the second").isEqualTo(2);
        assertThat(learn("f-00070")).as("not behind one that was looked up").isEqualTo(1);
        copy.use("f-00012");
        assertThat(learn("f-00013")).isEqualTo(4);
    }

    @Test
    void whereNothingIsBehindNamesAreAbsent() {
        fill(10);
        learn("g");
        assertThat(copy.inodeOf("g")).isEqualTo(KnownNames.ABSENT);
        assertThat(copy.inodeOf("\uffff".repeat(85))).isEqualTo(KnownNames.ABSENT);
        assertThat(copy.inodeOf("f-00009")).isEqualTo(KnownNames.UNKNOWN);
    }
}
