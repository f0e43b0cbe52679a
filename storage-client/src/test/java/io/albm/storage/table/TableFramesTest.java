// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.storage.Extent;
import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.PutMode;
import io.albm.storage.RangeLock;
import io.albm.storage.Segment;
import io.albm.storage.StripeGeometry;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The text of calls, replies and log lines, as docs/wire-storage.md shows them. A change here breaks old nodes and logs. */
class TableFramesTest {
    private static final Segment SEGMENT = new Segment(
            "0123456789abcdeffedcba9876543210",
            3,
            new StripeGeometry(1, 1, 65_536),
            List.of(new NodeId("n-1"), new NodeId("n-2")));

    private static final RangeLock LOCK =
            new RangeLock(new LockOwner(LockOwner.Kind.POSIX, 3), new LockRange(0, 9), true, 8);

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of(
                        TableCall.class,
                        new TableCall.Ask(null, new TableQuery.Lookup(1, "a")),
                        "{\"call\":\"ask\",\"query\":{\"ask\":\"lookup\",\"parent\":1,\"name\":\"a\"}}"),
                Arguments.of(
                        TableCall.class,
                        new TableCall.Ask("c", new TableQuery.LookAhead(1, "a", 8)),
                        "{\"call\":\"ask\",\"client\":\"c\",\"query\":{\"ask\":\"look-ahead\",\"parent\":1,"
                                + "\"name\":\"a\",\"limit\":8}}"),
                Arguments.of(
                        TableCall.class,
                        new TableCall.Ask("c", new TableQuery.Usage()),
                        "{\"call\":\"ask\",\"client\":\"c\",\"query\":{\"ask\":\"usage\"}}"),
                Arguments.of(
                        TableCall.class,
                        new TableCall.WriteBehind(
                                "c",
                                8,
                                List.of(new TableCall.WriteBehind.Step(
                                        9,
                                        Instant.EPOCH,
                                        new Grant(3, 4),
                                        new TableCommand.Make(1, "a", 0100644, 0, 0, 0, null, 7)))),
                        "{\"call\":\"write-behind\",\"client\":\"c\",\"settled\":8,\"steps\":[{\"number\":9,"
                                + "\"time\":\"1970-01-01T00:00:00Z\",\"grant\":{\"epoch\":3,\"number\":4},"
                                + "\"command\":{\"do\":\"make\",\"parent\":1,"
                                + "\"name\":\"a\",\"mode\":33188,\"number\":7}}]}"),
                Arguments.of(TableCommand.class, new TableCommand.Reserve(3, 0), "{\"do\":\"reserve\",\"count\":3}"),
                Arguments.of(
                        TableCall.class,
                        new TableCall.Change("c", 9, 8, new TableCommand.Unlink(1, "a", true), false),
                        "{\"call\":\"change\",\"client\":\"c\",\"number\":9,\"settled\":8,"
                                + "\"command\":{\"do\":\"unlink\",\"parent\":1,\"name\":\"a\",\"keep\":true}}"),
                Arguments.of(
                        TableCall.class,
                        new TableCall.Change(
                                "c", 1, 0, new TableCommand.Publish("/a", SEGMENT, 7, PutMode.REPLACE, null), false),
                        "{\"call\":\"change\",\"client\":\"c\",\"number\":1,\"settled\":0,\"command\":{\"do\":\"publish\","
                                + "\"path\":\"/a\",\"segment\":{\"generation\":\"0123456789abcdeffedcba9876543210\","
                                + "\"length\":3,\"geometry\":{\"dataUnits\":1,\"parityUnits\":1,"
                                + "\"unitBytes\":65536},\"nodes\":[\"n-1\",\"n-2\"]},\"crc32c\":7,\"mode\":\"REPLACE\"}}"),
                Arguments.of(
                        TableCall.class,
                        new TableCall.Change(
                                "c",
                                1,
                                0,
                                new TableCommand.Change(
                                        5,
                                        8L,
                                        9L,
                                        List.of(new TableCommand.Hole(2, 4)),
                                        SEGMENT,
                                        List.of(new Extent(6, 3, SEGMENT.generation(), 0)),
                                        7,
                                        20L,
                                        true),
                                true),
                        "{\"call\":\"change\",\"client\":\"c\",\"number\":1,\"settled\":0,\"command\":{\"do\":\"change\","
                                + "\"inode\":5,\"base\":8,\"cut\":9,\"holes\":[{\"start\":2,\"end\":4}],"
                                + "\"segment\":{\"generation\":\"0123456789abcdeffedcba9876543210\",\"length\":3,"
                                + "\"geometry\":{\"dataUnits\":1,\"parityUnits\":1,\"unitBytes\":65536},"
                                + "\"nodes\":[\"n-1\",\"n-2\"]},"
                                + "\"ranges\":[[6,3,\"0123456789abcdeffedcba9876543210\",0]],"
                                + "\"crc32c\":7,\"length\":20,\"killSetIds\":true},\"early\":true}"),
                Arguments.of(
                        TableCommand.class,
                        new TableCommand.Lock(5, LOCK),
                        "{\"do\":\"lock\",\"inode\":5,\"lock\":{\"owner\":{\"kind\":\"POSIX\",\"number\":3},"
                                + "\"range\":{\"start\":0,\"end\":9},\"exclusive\":true,\"pid\":8}}"),
                Arguments.of(
                        TableCommand.class,
                        new TableCommand.Unlock(5, LOCK.owner(), LockRange.ALL),
                        "{\"do\":\"unlock\",\"inode\":5,\"owner\":{\"kind\":\"POSIX\",\"number\":3},"
                                + "\"range\":{\"start\":0,\"end\":9223372036854775807}}"),
                Arguments.of(
                        TableQuery.class,
                        new TableQuery.Blocker(5, LOCK, 2000),
                        "{\"ask\":\"blocker\",\"inode\":5,\"wanted\":{\"owner\":{\"kind\":\"POSIX\",\"number\":3},"
                                + "\"range\":{\"start\":0,\"end\":9},\"exclusive\":true,\"pid\":8},\"waitMillis\":2000}"),
                Arguments.of(
                        TableAnswer.class,
                        new TableAnswer.Locks("c", true),
                        "{\"answer\":\"locks\",\"client\":\"c\",\"any\":true}"),
                Arguments.of(TableAnswer.class, new TableAnswer.Blocked(null, null), "{\"answer\":\"blocked\"}"),
                Arguments.of(
                        SavedLine.class,
                        new SavedLine.Locked(5, "c", LOCK),
                        "{\"line\":\"locked\",\"inode\":5,\"client\":\"c\",\"lock\":{\"owner\":{\"kind\":\"POSIX\","
                                + "\"number\":3},\"range\":{\"start\":0,\"end\":9},\"exclusive\":true,\"pid\":8}}"),
                Arguments.of(
                        SavedLine.class,
                        new SavedLine.Overruled("c", 5, new Grant(3, 4)),
                        "{\"line\":\"overruled\",\"client\":\"c\",\"directory\":5,"
                                + "\"last\":{\"epoch\":3,\"number\":4}}"),
                Arguments.of(SavedLine.class, new SavedLine.Past(3), "{\"line\":\"past\",\"epoch\":3}"),
                Arguments.of(
                        LogEntry.class,
                        new LogEntry.Overruled("c", Set.of(5L), new Grant(3, 4)),
                        "{\"entry\":\"overruled\",\"client\":\"c\",\"directories\":[5],"
                                + "\"last\":{\"epoch\":3,\"number\":4}}"),
                Arguments.of(LogEntry.class, new LogEntry.Past(3), "{\"entry\":\"past\",\"epoch\":3}"),
                Arguments.of(
                        TableCall.class,
                        new TableCall.Sync("c", List.of(4L, 7L)),
                        "{\"call\":\"sync\",\"client\":\"c\",\"numbers\":[4,7]}"),
                Arguments.of(
                        TableCommand.class,
                        TableCommand.Change.resize(5, 0),
                        "{\"do\":\"change\",\"inode\":5,\"cut\":0,\"holes\":[],\"ranges\":[],\"crc32c\":0,\"length\":0,"
                                + "\"killSetIds\":false}"),
                Arguments.of(
                        TableCommand.class,
                        new TableCommand.SetAttributes(5, 0, 0, 0, null, null, false),
                        "{\"do\":\"set\",\"inode\":5,\"mode\":0,\"uid\":0,\"gid\":0,\"killSetIds\":false}"),
                Arguments.of(
                        TableReply.class,
                        new TableReply(5, 4, 2, new TableOutcome(new TableAnswer.Cancelled(true), null, null), null),
                        "{\"position\":5,\"durable\":4,\"epoch\":2,\"outcome\":{\"answer\":{\"answer\":\"cancelled\",\"announced\":true}}}"),
                Arguments.of(
                        TableCall.class,
                        new TableCall.Lease("c", 3, 7, 2, 8, 5),
                        "{\"call\":\"lease\",\"client\":\"c\",\"epoch\":3,\"confirmed\":7,"
                                + "\"returned\":2,\"settled\":8,\"directory\":5}"),
                Arguments.of(
                        TableReply.class,
                        new TableReply(
                                5,
                                new TableOutcome(new TableAnswer.Done(), null, null),
                                new LeaseNotice("c", 3, 7, List.of(4L), 9, Map.of("a", 6L), true, null)),
                        "{\"position\":5,\"outcome\":{\"answer\":{\"answer\":\"done\"}},\"lease\":{\"client\":\"c\","
                                + "\"epoch\":3,\"recalls\":7,\"recalled\":[4],\"grants\":9,\"names\":{\"a\":6},\"sole\":true}}"),
                Arguments.of(
                        TableReply.class,
                        new TableReply(0, 0, 0, TableOutcome.refused(TableRefusal.Reason.EXISTS, "a exists"), null),
                        "{\"outcome\":{\"refused\":\"EXISTS\",\"why\":\"a exists\"}}"),
                Arguments.of(
                        LogEntry.class,
                        new LogEntry.Change("c", 9, 8, Instant.EPOCH, new TableCommand.Release(7)),
                        "{\"entry\":\"change\",\"client\":\"c\",\"number\":9,\"settled\":8,"
                                + "\"time\":\"1970-01-01T00:00:00Z\",\"command\":{\"do\":\"release\",\"inode\":7}}"),
                Arguments.of(LogEntry.class, new LogEntry.End("c"), "{\"entry\":\"end\",\"client\":\"c\"}"),
                Arguments.of(LogEntry.class, new LogEntry.Term(3), "{\"entry\":\"term\",\"epoch\":3}"),
                Arguments.of(
                        SnapshotPointer.class,
                        new SnapshotPointer("0000000000000005-1", 5, 1, 300),
                        "{\"name\":\"0000000000000005-1\",\"position\":5,\"chunks\":1,\"bytes\":300}"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void keepsTheFormat(Class<?> type, Object value, String golden) {
        assertThat(Json.text(value)).isEqualTo(golden);
        assertThat(Json.read(golden, type)).isEqualTo(value);
    }
}
