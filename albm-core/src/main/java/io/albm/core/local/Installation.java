// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where the roles' fat JARs are, and how to start their JVMs.
 *
 * @param home the checkout
 */
public record Installation(Path home) {
    /** What a heap begins with: the young generation, which is used up before anything is collected, is a third of it. */
    private static final int FIRST_HEAP_MEBIBYTES = 64;

    /** Beside the heap, where a heap may become large. */
    private static final int MOST_DIRECT_MEBIBYTES = 192;

    /**
     * The one that the launcher names in {@code ALBM_HOME}, or the system property {@code albm.home}.
     *
     * @throws CliException if there is neither
     */
    public static Installation find() {
        String home = Optional.ofNullable(System.getProperty("albm.home")).orElse(System.getenv("ALBM_HOME"));
        if (home == null) {
            throw new CliException(
                    ExitCode.CONFIG, "ALBM_HOME is not set: start this with ./albm, or set it to the checkout");
        }
        return new Installation(Path.of(home).toAbsolutePath().normalize());
    }

    /** The fat JAR of a role. ZooKeeper is embedded in the console's. */
    public Path jar(Role role) {
        String module = switch (role) {
            case AGENT -> "albm-agent";
            case DISTRIBUTOR -> "albm-distributor";
            case PLACEMENT -> "albm-placement";
            case CACHE_SERVER -> "cache-server";
            case STORAGE_NODE -> "storage-node";
            case COORDINATOR, JOB_HOST -> "ckpt-coordinator";
            case CONSOLE, ZOOKEEPER -> "console";
        };
        return home.resolve(module).resolve("target").resolve(module + "-all.jar");
    }

    /**
     * The command line of a process. The heap that begins small, the serial collector and the first compiler tier keep a dozen
     * JVMs light; the ahead-of-time cache, if there is one, halves the CPU of their start. Where the launcher lets Netty use
     * {@code sun.misc.Unsafe}, so does this: without, each byte costs more, and the cache has other classes.
     *
     * @param temporary directory for what libraries unpack
     */
    List<String> command(ProcessSpec process, Path temporary) {
        Path jar = jar(process.role());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + Math.min(process.heapMebibytes(), FIRST_HEAP_MEBIBYTES) + "m",
                "-Xmx" + process.heapMebibytes() + "m",
                "-XX:MaxDirectMemorySize=" + Math.min(process.heapMebibytes(), MOST_DIRECT_MEBIBYTES) + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.io.tmpdir=" + temporary));
        if (process.role() == Role.STORAGE_NODE || process.role() == Role.CACHE_SERVER) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        aheadOfTimeCache(jar).filter(Files::exists).ifPresent(cache -> command.add("-XX:AOTCache=" + cache));
        command.addAll(List.of("-jar", jar.toString()));
        if (process.role() == Role.ZOOKEEPER) {
            command.add("zookeeper");
        }
        command.add("run");
        process.settings().forEach((key, value) -> command.addAll(List.of("--" + key, value)));
        return command;
    }

    /** A cache belongs to one JAR: its name changes with the JAR. The launcher forms the same name. */
    Optional<Path> aheadOfTimeCache(Path jar) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(jar, BasicFileAttributes.class);
            String name = jar.getFileName().toString().replace(".jar", "");
            return Optional.of(home.resolve(".albm/cache")
                    .resolve(name + "-" + attributes.lastModifiedTime().to(TimeUnit.SECONDS) + "-" + attributes.size()
                            + ".aot"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
