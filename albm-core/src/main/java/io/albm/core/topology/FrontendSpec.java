// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import io.albm.core.node.NodeAddress;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where clients come in.
 *
 * @param bind address to listen on, port 0 for any free one; null if the frontend is switched off
 * @param mode what is spoken
 * @param certificates directory of the certificates under which TLS ends here; null without TLS
 * @param clearText what is spoken without TLS
 * @param acceptsProxyHeader whether a balancer in front says who the client is, by the PROXY protocol
 * @param greeting how backends are told who the client is, in mode {@code tcp}
 * @param pool name of the pool that takes what no route takes
 * @param policy how requests are spread; null for the policy of each pool
 */
public record FrontendSpec(
        String name,
        @Nullable NodeAddress bind,
        FrontendMode mode,
        @Nullable String certificates,
        ClearText clearText,
        boolean acceptsProxyHeader,
        ProxyGreeting greeting,
        String pool,
        @Nullable String policy) {
    static final String KIND = "frontend";
    static final String BIND = "bind";
    static final String MODE = "mode";
    static final String CERTIFICATES = "tls-certificates";
    static final String CLEAR_TEXT = "clear-text-protocol";
    static final String ACCEPT_PROXY = "accept-proxy-protocol";
    static final String SEND_PROXY = "send-proxy-protocol";
    static final String POOL = "pool";
    static final String POLICY = "policy";

    /** What {@link #BIND} says of a frontend that should not listen. */
    static final String OFF = "off";

    static FrontendSpec read(Section section) {
        FrontendMode mode = section.choice(MODE, FrontendMode.values(), FrontendMode.HTTP);
        ProxyGreeting greeting = section.choice(SEND_PROXY, ProxyGreeting.values(), ProxyGreeting.NONE);
        section.check(
                greeting == ProxyGreeting.NONE || mode == FrontendMode.TCP,
                SEND_PROXY,
                "expected mode = tcp; HTTP backends share connections among clients, and learn of them by"
                        + " X-Forwarded-For");
        return new FrontendSpec(
                section.name(),
                bind(section),
                mode,
                section.text(CERTIFICATES).orElse(null),
                section.choice(CLEAR_TEXT, ClearText.values(), ClearText.ANY),
                section.flag(ACCEPT_PROXY),
                greeting,
                section.required(POOL, "the name of a pool, for what no route takes"),
                section.policy(POLICY));
    }

    private static @Nullable NodeAddress bind(Section section) {
        String text = section.required(BIND, "host:port such as 127.0.0.1:8080, or " + OFF);
        return text.isEmpty() || text.equals(OFF) ? null : section.address(BIND, text);
    }

    void write(Map<String, String> settings) {
        var out = new Entries(KIND, name, settings);
        out.put(BIND, bind == null ? OFF : bind.toString());
        out.put(MODE, mode.id());
        out.put(CERTIFICATES, Optional.ofNullable(certificates));
        out.put(CLEAR_TEXT, clearText.id());
        out.put(ACCEPT_PROXY, Boolean.toString(acceptsProxyHeader));
        out.put(SEND_PROXY, greeting.id());
        out.put(POOL, pool);
        out.put(POLICY, Optional.ofNullable(policy));
    }
}
