// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.ABSENT;

import io.albm.core.proc.ProcText;
import io.albm.core.proc.Rate;
import java.io.IOException;

/** Bytes a second through the counted interfaces, received plus sent, as the drivers count them at the data link. */
final class NetworkBytes implements CounterSource {
    private static final int RECEIVED = 0;
    private static final int SENT = 8;

    private final SampledFile dev;
    private final InterfaceFilter interfaces;
    private final Rate rate = new Rate();

    private NetworkBytes(SampledFile dev, InterfaceFilter interfaces) {
        this.dev = dev;
        this.interfaces = interfaces;
    }

    static NetworkBytes open(KernelFiles files) throws IOException {
        return new NetworkBytes(files.proc("net/dev"), files.host().interfaces());
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        return rate.update(nowNanos, bytes(dev.at(nowNanos), interfaces));
    }

    /** Two heading lines, then {@code name: received packets … sent packets …}. */
    static long bytes(ProcText text, InterfaceFilter interfaces) {
        long bytes = 0;
        for (int line = text.nextLine(text.nextLine(0)); line != ABSENT; line = text.nextLine(line)) {
            int name = text.skipBlanks(line);
            int colon = text.find(':', line);
            if (colon != ABSENT && interfaces.counts(text, name, colon)) {
                bytes += number(text, colon + 1, RECEIVED) + number(text, colon + 1, SENT);
            }
        }
        return bytes;
    }

    private static long number(ProcText text, int position, int field) {
        return Math.max(0, text.numberAt(text.field(position, field)));
    }
}
