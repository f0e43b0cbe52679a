// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which leases a change concerns, in the table and in one that was loaded from a snapshot of it. */
class LeaseScopeTest {
    private final TableState table = new TableState(100);
    private long a;
    private long b;
    private long file;

    @BeforeEach
    void plant() {
        a = make(Inode.ROOT, "a", 0040755);
        b = make(Inode.ROOT, "b", 0040755);
        file = make(a, "f", 0100644);
    }

    private TableAnswer apply(TableCommand<?> command) {
        return table.apply("c", command, Instant.EPOCH);
    }

    private long make(long parent, String name, int mode) {
        return ((TableAnswer.Known) apply(new TableCommand.Make(parent, name, mode, 0, 0, 0, null)))
                .inode()
                .number();
    }

    private Set<Long> scope(TableCommand<?> command) {
        List<SavedLine> saved = new ArrayList<>();
        table.save(saved::add);
        Set<Long> scope = table.leaseScope(command);
        assertThat(TableState.load(100, saved.iterator()).leaseScope(command)).isEqualTo(scope);
        return scope;
    }

    private static TableCommand.SetAttributes chmod(long inode) {
        return new TableCommand.SetAttributes(inode, 0600, null, null, null, null, false);
    }

    private static TableCommand.Rename rename(long parent, String name, long newParent, String newName) {
        return new TableCommand.Rename(parent, name, newParent, newName, TableCommand.Renaming.REPLACE, false);
    }

    @Test
    void namesConcernTheirDirectory() {
        assertThat(scope(new TableCommand.Make(a, "new", 0100644, 0, 0, 0, null)))
                .containsExactly(a);
        assertThat(scope(new TableCommand.Unlink(a, "f", false))).containsExactly(a);
        assertThat(scope(rename(a, "f", b, "g"))).containsExactlyInAnyOrder(a, b);
    }

    @Test
    void attributesOfAFileConcernAllDirectoriesThatHaveIt() {
        assertThat(scope(chmod(file))).containsExactly(a);

        apply(new TableCommand.Link(file, b, "g"));
        apply(new TableCommand.Link(file, b, "h"));
        assertThat(scope(chmod(file))).containsExactlyInAnyOrder(a, b);
        assertThat(scope(new TableCommand.Unlink(a, "f", false))).containsExactlyInAnyOrder(a, b);

        apply(new TableCommand.Unlink(a, "f", false));
        assertThat(scope(chmod(file))).containsExactly(b);
        apply(new TableCommand.Unlink(b, "g", false));
        assertThat(scope(chmod(file))).containsExactly(b);
        apply(rename(b, "h", a, "f"));
        assertThat(scope(chmod(file))).containsExactly(a);
        apply(new TableCommand.Unlink(a, "f", true));
        assertThat(scope(chmod(file))).isEmpty();
    }

    @Test
    void attributesOfADirectoryConcernItself() {
        assertThat(scope(chmod(a))).containsExactly(a);
        assertThat(scope(new TableCommand.RemoveDirectory(Inode.ROOT, "b"))).containsExactlyInAnyOrder(Inode.ROOT, b);
        assertThat(scope(rename(Inode.ROOT, "b", a, "b"))).containsExactlyInAnyOrder(Inode.ROOT, a, b);
    }

    @Test
    void aPathConcernsAllOnTheWay() {
        assertThat(scope(new TableCommand.Remove("/a/f", null))).containsExactlyInAnyOrder(Inode.ROOT, a);
        assertThat(scope(new TableCommand.Remove("/a/x/y", null))).containsExactlyInAnyOrder(Inode.ROOT, a);
    }

    @Test
    void whatIsNoNameConcernsNobody() {
        assertThat(scope(new TableCommand.Begin("0123456789abcdeffedcba9876543210")))
                .isEmpty();
        assertThat(scope(new TableCommand.Release(file))).isEmpty();
        assertThat(scope(chmod(999))).isEmpty();
    }
}
