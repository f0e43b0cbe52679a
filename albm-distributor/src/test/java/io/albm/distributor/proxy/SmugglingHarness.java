// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A proxy in front of a backend that nothing of what is malformed may reach. */
abstract class SmugglingHarness {
    static RawBackend backend;
    static ProxyHarness harness;

    @BeforeAll
    static void start() throws IOException {
        backend = new RawBackend(RawBackend.text("should not be asked"));
        harness = new ProxyHarness(backend);
    }

    @AfterAll
    static void stop() throws IOException {
        harness.close();
        backend.close();
    }
}
