// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.core.cgroup.LimitedGroup;
import io.albm.core.cgroup.MemoryGroup;
import io.albm.core.cgroup.NotPermittedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What keeps the memory of one server short, and where its agent can count it. */
sealed interface MemoryLimit extends AutoCloseable {
    /** A command that becomes the server behind it; empty if there is nothing to do before. */
    List<String> enter();

    /** Arguments of the server beyond its documents and what requests may hold. */
    List<String> arguments();

    /** A control group's directory, or what looks like one. */
    Path directory();

    /** Its counters. */
    MemoryGroup memory();

    /** Processes that the kernel killed for memory. */
    long killed() throws IOException;

    @Override
    void close() throws IOException;

    /** A memory control group. */
    record Kernels(LimitedGroup group) implements MemoryLimit {
        static Kernels create(String name, long bytes) throws IOException, NotPermittedException {
            return new Kernels(LimitedGroup.create(name, bytes));
        }

        /** It joins the group before it becomes a JVM, so that every page it touches is the group's. */
        @Override
        public List<String> enter() {
            // glibc must give freed memory back at once: what a request held is free when the request is over.
            return List.of(
                    "env",
                    "MALLOC_MMAP_THRESHOLD_=131072",
                    "MALLOC_ARENA_MAX=2",
                    "sh",
                    "-c",
                    "echo $$ > \"$0\" && exec \"$@\"",
                    group.members().toString());
        }

        @Override
        public List<String> arguments() {
            return List.of();
        }

        @Override
        public Path directory() {
            return group.directory();
        }

        @Override
        public MemoryGroup memory() {
            return group.memory();
        }

        @Override
        public long killed() throws IOException {
            return group.killedForMemory();
        }

        @Override
        public void close() throws IOException {
            group.close();
        }
    }

    /** The server's own word, which it keeps in {@link Books}. */
    record Own(Path directory, long bytes, MemoryGroup memory) implements MemoryLimit {
        static Own create(Path directory, long bytes) throws IOException {
            Books.open(directory, bytes).close();
            return new Own(directory, bytes, MemoryGroup.open(directory));
        }

        @Override
        public List<String> enter() {
            return List.of();
        }

        @Override
        public List<String> arguments() {
            return List.of(directory.toString(), Long.toString(bytes));
        }

        @Override
        public long killed() {
            return 0;
        }

        @Override
        public void close() throws IOException {
            memory.close();
        }
    }
}
