// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.core.cgroup.NotPermittedException;
import io.albm.core.cgroup.ThrottledGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The disk of the node that is lost: this machine's own, as fast as it is, or held to a rate by the kernel. The kernel holds
 * only what is written past the page cache, so then all write like that.
 */
final class LostDisk implements AutoCloseable {
    private static final String JOIN = "echo $$ > \"$0\" && exec \"$@\"";

    private final @Nullable ThrottledGroup group;

    private LostDisk(@Nullable ThrottledGroup group) {
        this.group = group;
    }

    /** As it is. */
    static LostDisk asItIs() {
        return new LostDisk(null);
    }

    /**
     * Held to a rate.
     *
     * @param directory on that disk
     * @param bytesPerSecond most bytes that are written to it
     * @throws NotPermittedException if this machine does not let us
     */
    static LostDisk heldTo(long bytesPerSecond, Path directory) throws IOException, NotPermittedException {
        return new LostDisk(ThrottledGroup.ofWrites("lost", directory, bytesPerSecond));
    }

    /** The disk itself, for one who writes a file in that directory. */
    Volume volume(Path directory) {
        return new Volume(
                RebuildMeasure.DISK,
                group == null ? Volume.Kind.DISK : Volume.Kind.DIRECT_DISK,
                directory.toString(),
                enter());
    }

    /** A command that becomes the one behind it, which has that disk. */
    List<String> enter() {
        return group == null
                ? List.of()
                : List.of("sh", "-c", JOIN, group.members().toString());
    }

    /** Options of the node that has it. */
    List<String> nodeOptions() {
        return group == null ? List.of() : List.of("--direct-io", "true");
    }

    @Override
    public void close() throws IOException {
        if (group != null) {
            group.close();
        }
    }
}
