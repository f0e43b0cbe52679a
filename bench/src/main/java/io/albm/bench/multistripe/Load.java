// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.lab.Lab;
import io.albm.bench.lab.LabHost;
import io.albm.bench.lab.LoadPattern;
import io.albm.bench.lab.TcpLoad;
import io.albm.bench.lab.UdpLoad;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** What else is sent to the storage ports while a checkpoint is stored. */
enum Load {
    NONE("none", 0),
    HALF("50 %", 50),
    MOST("80 %", 80),
    FLOWS("4 TCP flows", 100);

    private static final int LONG_FLOWS = 4;

    private final String text;
    private final int percent;

    Load(String text, int percent) {
        this.text = text;
        this.percent = percent;
    }

    /** Traffic that ends when it is closed. */
    interface Running extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /** In a word. */
    String text() {
        return text;
    }

    /** As an option has it. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of each port, by datagrams. */
    int percent() {
        return percent;
    }

    /** Begins to send. At least a flow for each port, so that none has an advantage. */
    Running start(Lab lab, List<LabHost> ports) throws IOException {
        return switch (this) {
            case NONE -> () -> {};
            case HALF, MOST -> UdpLoad.start(lab, ports, LoadPattern.steady(percent / 100.0))::close;
            case FLOWS -> TcpLoad.start(lab, ports, Math.max(LONG_FLOWS, ports.size()))::close;
        };
    }
}
