// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import io.albm.storage.mount.LocalStorage;
import io.albm.storage.mount.StripedFileSystem;
import java.nio.file.Path;

/** A process that serves the striped storage, all of it in main memory, until it is unmounted: {@code StripedMount DIRECTORY}. */
final class StripedMount {
    private StripedMount() {}

    public static void main(String[] arguments) throws Exception {
        FuseSession session =
                FuseSession.mount(new LocalStorage(1000).mount(), Path.of(arguments[0]), StripedFileSystem.OPTIONS);
        System.out.println(ServedMount.READY);
        session.awaitEnd();
    }
}
