// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.access.ClusterConnection;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.net.Transport;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** Which cluster a storage command means, and the way to its store. */
final class Connection {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    /** What a command does with the store. */
    @FunctionalInterface
    interface Work {
        int run(StripedStore store) throws IOException;
    }

    /** What a command does with the store and with what else the cluster agrees on. */
    @FunctionalInterface
    interface ClusterWork {
        int run(StripedStore store, ClusterConnection cluster) throws IOException;
    }

    /** Connects, works, and disconnects. */
    int with(StripeSettings settings, Work work) throws IOException {
        return with(settings, (store, cluster) -> work.run(store));
    }

    /** Connects, works, and disconnects. */
    int with(StripeSettings settings, ClusterWork work) throws IOException {
        try (Transport transport = Transport.open();
                FrameClient client = new FrameClient(transport);
                ClusterConnection connection = options.connect()) {
            StripedStore store = ClusterStorage.open(connection.cluster(), client, settings);
            connection.loaded(connection.cluster().members(Role.STORAGE_NODE));
            connection.loaded(connection.cluster().configuration(StripedStore.RETIRING_SCOPE));
            return work.run(store, connection);
        } catch (StorageException failure) {
            throw new CliException(exitCode(failure), String.valueOf(failure.getMessage()), failure);
        } catch (IllegalArgumentException wrong) {
            throw new CliException(ExitCode.USAGE, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static int exitCode(StorageException failure) {
        return switch (failure) {
            case StorageException.TableUnavailable away -> ExitCode.ZOOKEEPER_UNREACHABLE;
            case StorageException.FileExists exists -> ExitCode.REFUSED;
            case StorageException.Fenced fenced -> ExitCode.REFUSED;
            case StorageException.CannotRetire stays -> ExitCode.REFUSED;
            case StorageException.CannotMoveTable stays -> ExitCode.REFUSED;
            case StorageException.CannotReplace stays -> ExitCode.REFUSED;
            case StorageException.TooFewNodes few -> ExitCode.DEGRADED;
            case StorageException.NodeUnreachable away -> ExitCode.DEGRADED;
            default -> ExitCode.FAILED;
        };
    }
}
