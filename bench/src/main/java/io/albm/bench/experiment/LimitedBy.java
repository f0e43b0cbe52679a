// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.core.cgroup.LimitedGroup;
import io.albm.core.cgroup.NotPermittedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Who limits the memory of the servers. */
enum LimitedBy {
    KERNEL("memory control groups of 512 MB, limited by the kernel") {
        @Override
        MemoryLimit limit(Path directory, String name, long bytes) throws IOException, NotPermittedException {
            return MemoryLimit.Kernels.create(name, bytes);
        }
    },
    PROCESS("plain processes that keep to 512 MB by themselves") {
        @Override
        MemoryLimit limit(Path directory, String name, long bytes) throws IOException {
            return MemoryLimit.Own.create(directory.resolve("books-" + name), bytes);
        }
    };

    private final String description;

    LimitedBy(String description) {
        this.description = description;
    }

    abstract MemoryLimit limit(Path directory, String name, long bytes) throws IOException, NotPermittedException;

    String description() {
        return description;
    }

    /** The kernel if it may be asked; otherwise says why not. */
    static LimitedBy whomWeMayAsk(Consumer<String> notice) throws IOException {
        try {
            LimitedGroup.create("probe", Fleet.SERVER_BYTES).close();
            return KERNEL;
        } catch (NotPermittedException e) {
            notice.accept(e.getMessage() + "; instead: " + PROCESS.description);
            return PROCESS;
        }
    }
}
