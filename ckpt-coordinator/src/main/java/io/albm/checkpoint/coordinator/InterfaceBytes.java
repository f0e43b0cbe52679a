// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import io.albm.core.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** The kernel's byte counters of a network interface: reading them sends nothing. */
public final class InterfaceBytes implements LongSupplier {
    private final Path received;
    private final Path sent;

    private InterfaceBytes(Path statistics) {
        this.received = statistics.resolve("rx_bytes");
        this.sent = statistics.resolve("tx_bytes");
    }

    /**
     * The counters of an interface of this machine.
     *
     * @throws ConfigException if there is none of that name
     */
    public static InterfaceBytes of(String name) {
        Path statistics = Path.of("/sys/class/net").resolve(name).resolve("statistics");
        if (!name.matches("[A-Za-z0-9._-]{1,15}") || !Files.isReadable(statistics.resolve("rx_bytes"))) {
            throw new ConfigException("interface = '" + name + "': no such network interface; 'ip link' lists them");
        }
        return new InterfaceBytes(statistics);
    }

    /** The busier direction since boot. */
    @Override
    public long getAsLong() {
        return Math.max(read(received), read(sent));
    }

    private static long read(Path counter) {
        try {
            return Long.parseLong(Files.readString(counter).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
