// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.storage.Fence;
import io.albm.storage.Inode;
import io.albm.storage.PutMode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableStateTest extends TableHarness {
    @Test
    void aSnapshotIsTheTable() {
        Inode d = make(Inode.ROOT, "d", DIRECTORY);
        Inode file = make(d.number(), "f", FILE);
        apply(new TableCommand.Link(file.number(), Inode.ROOT, "g"));
        apply(new TableCommand.SetAttribute(file.number(), "user.a", new byte[] {1, 2}, false, false));
        stored(file.number(), 1);
        begin(2);
        begin(3);
        apply(publish("/p/q", 3, PutMode.CREATE, new Fence("job", 5)));
        Inode kept = make(Inode.ROOT, "kept", FILE);
        unlink("kept", true);
        apply(new TableCommand.Reserve(3, 0));
        List<SavedLine> before = lines(table);

        reload();

        assertThat(lines(table))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyInAnyOrderElementsOf(before);
        assertThat(get(file.number()).links()).isEqualTo(2);
        assertThat(((TableAnswer.Value) table.answer(new TableQuery.GetAttribute(file.number(), "user.a"))).value())
                .containsExactly(1, 2);
        assertThat(make(Inode.ROOT, "new", FILE).number()).isGreaterThan(kept.number());
        apply(publish("/p/r", 2, PutMode.CREATE, new Fence("job", 5)));
        apply(new TableCommand.Release(kept.number()));
        apply(new TableCommand.Remove("/p/r", null));
        apply(new TableCommand.Remove("/p/q", null));
        refused(Reason.NO_ENTRY, () -> find("/p"));
    }

    @Test
    void requestsAndAnswersAreTheSameBehindTheWire() {
        TableCommand<?> command = new TableCommand.Make(1, "ä b", FILE, 1, 2, 0, new byte[] {9});
        assertThat(Json.read(Json.bytes(command), TableCommand.class))
                .usingRecursiveComparison()
                .isEqualTo(command);
        TableQuery<?> query = new TableQuery.Unneeded(new NodeId("n-1"), List.of(generation(1)));
        assertThat(Json.read(Json.bytes(query), TableQuery.class)).isEqualTo(query);
        TableAnswer answer = apply(command);
        assertThat(Json.read(Json.bytes(answer), TableAnswer.class))
                .usingRecursiveComparison()
                .isEqualTo(answer);
        TableAnswer used = table.answer(new TableQuery.Usage());
        assertThat(Json.read(Json.bytes(used), TableAnswer.class)).isEqualTo(used);
    }
}
