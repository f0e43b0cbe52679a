// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.RequestHead;
import io.albm.core.tls.ServerCertificates;
import io.albm.core.topology.FrontendSpec;
import io.albm.distributor.http.RouteTable;
import io.albm.distributor.stats.Traffic;
import org.jspecify.annotations.Nullable;

/**
 * Where clients come in: what is spoken with them, under which certificates, and where their requests go. All of that may
 * change while they are connected, by one volatile write: what is spoken holds for connections that come from then on, a
 * route for requests that begin from then on. Thread-safe.
 */
public final class Frontend {
    private final Traffic traffic = new Traffic();
    private volatile Terms terms;
    private volatile boolean retired;

    /**
     * What holds at one moment.
     *
     * @param spec what an operator said
     * @param certificates for TLS; null for none
     * @param routes where requests go; what no route takes, and every connection in mode {@code tcp}, goes to the last resort
     */
    public record Terms(FrontendSpec spec, @Nullable ServerCertificates certificates, RouteTable<Destination> routes) {}

    public Frontend(Terms terms) {
        this.terms = terms;
    }

    /** From now on that holds. */
    public void change(Terms changed) {
        terms = changed;
    }

    /** What holds now. */
    public Terms terms() {
        return terms;
    }

    /** Client connections that are open now. */
    public int connections() {
        return traffic.current();
    }

    /** What went through it. */
    public Traffic traffic() {
        return traffic;
    }

    /** Where that request goes. */
    Destination destination(RequestHead request) {
        return terms.routes.find(request);
    }

    /** Nobody comes in here any more. */
    void retire() {
        retired = true;
    }

    /** Whether those who are still on their way in are to go soon. */
    boolean isRetired() {
        return retired;
    }

    void came() {
        traffic.began();
    }

    void went() {
        traffic.ended();
    }
}
