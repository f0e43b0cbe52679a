// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.StripeSettings;
import io.albm.storage.table.TableMove;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm storage move-table}. */
@Command(
        name = "move-table",
        description = {
            "Move the file table to a ZooKeeper of its own, from there to another one, or back to the cluster's.",
            "Storage nodes must not run, nor mounts, coordinators and whatever else uses the storage; refused, exit 4, if"
                    + " one does. Cut off, it can be run again. Start the storage nodes with 'table-zookeeper' as it is then."
        },
        footer = {
            "  albm storage move-table 10.0.0.7:2181,10.0.0.8:2181,10.0.0.9:2181",
            "  albm storage move-table 10.0.0.1:2181    back: that is a server of --zookeeper"
        })
final class MoveTableCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Parameters(paramLabel = "HOST:PORT,…", description = "Servers of the ZooKeeper that is to have it.")
    private String target = "";

    /** What was done, for programs. */
    record Moved(String zookeeper, boolean wasElsewhere) {}

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, (store, cluster) -> {
            boolean wasElsewhere = new TableMove(cluster.cluster(), cluster.zooKeeper(), target).run();
            output.print(
                    new Moved(target, wasElsewhere),
                    () -> "the file table is in ZooKeeper " + target + (wasElsewhere ? " now" : " already"));
            return ExitCode.DONE;
        });
    }
}
