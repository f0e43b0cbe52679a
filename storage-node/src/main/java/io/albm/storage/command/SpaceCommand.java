// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.storage.SpaceInfo;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm storage df}. */
@Command(
        name = "df",
        description =
                "Show the room on each storage node and in all, parity included. Exits 3 if a node does not answer.",
        footer = "  albm storage df --json")
final class SpaceCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            SpaceInfo space = store.space();
            output.print(space, () -> table(space));
            return space.unreachable().isEmpty() ? ExitCode.DONE : ExitCode.DEGRADED;
        });
    }

    private static String table(SpaceInfo space) {
        Table table = Table.of("NODE", "CAPACITY", "USED", "FREE", "BLOCKS").right(1, 2, 3, 4);
        new TreeMap<>(space.nodes())
                .forEach((node, room) -> table.row(
                        node,
                        Sizes.text(room.capacity()),
                        Sizes.text(room.used()),
                        Sizes.text(room.free()),
                        room.blocks()));
        space.unreachable().forEach(node -> table.row(node, "-", "-", "-", "no answer"));
        table.row("all", Sizes.text(space.capacity()), Sizes.text(space.used()), Sizes.text(space.free()), "");
        return table.render(Ansi.stdout()).stripTrailing();
    }
}
