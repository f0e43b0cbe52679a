// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.net.HeldPort;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.apache.zookeeper.util.ServiceUtils;

/**
 * One ZooKeeper server inside this process, for a cluster on one machine. What it was told stays on disk: started again
 * on the same directory it goes on where it ended. Runs in a heap of 64 MB.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    /** Sessions may be as short as two ticks. */
    private static final int TICK_MILLIS = 500;

    private static final int LONGEST_SESSION_MILLIS = 60_000;
    private static final int START_MILLIS_AT_MOST = 30_000;

    private final ZooKeeperServerEmbedded server;
    private final NodeAddress address;

    private EmbeddedZooKeeper(ZooKeeperServerEmbedded server, NodeAddress address) {
        this.server = server;
        this.address = address;
    }

    /** Starts a server whose end nobody has to hear of. */
    public static EmbeddedZooKeeper start(Path dataDir, NodeAddress bind) throws IOException {
        return start(dataDir, bind, () -> {});
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param dataDir made if it is missing; one running server at a time
     * @param bind the only address that it listens on; port 0 takes any free port
     * @param onEnd called, from any thread, when a server of this process has ended by itself, as when it cannot write its log: it
     *     does not come back. There is one for the process, that of the last server that was started
     * @throws IOException if the address is in use or the directory cannot be written; the message names it
     */
    public static EmbeddedZooKeeper start(Path dataDir, NodeAddress bind, Runnable onEnd) throws IOException {
        // ZooKeeper cannot pick a port, and reports one that is in use only in its log.
        try (HeldPort held = HeldPort.at(bind)) {
            NodeAddress address = held.address();
            Files.createDirectories(dataDir);
            deleteEarlierConfigurations(dataDir);
            limitLogFiles();
            ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
                    .baseDir(dataDir)
                    .configuration(configuration(dataDir, address))
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(START_MILLIS_AT_MOST);
            // Starting it, the embedding sets its own.
            ServiceUtils.setSystemExitProcedure(status -> onEnd.run());
            return new EmbeddedZooKeeper(server, address);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("ZooKeeper did not start at " + bind + " on " + dataDir + ": " + e.getMessage(), e);
        }
    }

    /** The embedding writes its configuration to a new file at each start and leaves it there. */
    private static void deleteEarlierConfigurations(Path dataDir) throws IOException {
        try (DirectoryStream<Path> earlier = Files.newDirectoryStream(dataDir, "zookeeper.configuration*.properties")) {
            for (Path file : earlier) {
                Files.delete(file);
            }
        }
    }

    /** ZooKeeper sets 64 MB aside for each log file unless told otherwise, by a system property only. */
    private static void limitLogFiles() {
        System.setProperty("zookeeper.preAllocSize", "4096");
    }

    private static Properties configuration(Path dataDir, NodeAddress address) {
        Properties configuration = new Properties();
        configuration.setProperty("dataDir", dataDir.toAbsolutePath().toString());
        configuration.setProperty("clientPort", Integer.toString(address.port()));
        configuration.setProperty("clientPortAddress", address.host());
        configuration.setProperty("tickTime", Integer.toString(TICK_MILLIS));
        configuration.setProperty("maxSessionTimeout", Integer.toString(LONGEST_SESSION_MILLIS));
        // On one machine every client comes from one address: a limit for each address would limit the cluster.
        configuration.setProperty("maxClientCnxns", "0");
        configuration.setProperty("admin.enableServer", "false");
        configuration.setProperty("4lw.commands.whitelist", "ruok");
        configuration.setProperty("autopurge.snapRetainCount", "3");
        configuration.setProperty("autopurge.purgeInterval", "1");
        return configuration;
    }

    /** Where it listens, with the real port. */
    public NodeAddress address() {
        return address;
    }

    @Override
    public void close() {
        server.close();
    }
}
