// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.nio.file.Path;

/** A process that serves a file system in main memory until it is unmounted: {@code MemoryMount DIRECTORY [THREADS]}. */
final class MemoryMount {
    private MemoryMount() {}

    public static void main(String[] arguments) throws Exception {
        MountOptions defaults = MemoryFileSystem.OPTIONS;
        MountOptions options = arguments.length < 2
                ? defaults
                : new MountOptions(
                        Integer.parseInt(arguments[1]),
                        defaults.namesValid(),
                        defaults.attributesValid(),
                        defaults.absenceValid());
        FuseSession session = FuseSession.mount(new MemoryFileSystem(), Path.of(arguments[0]), options);
        System.out.println(ServedMount.READY);
        session.awaitEnd();
    }
}
