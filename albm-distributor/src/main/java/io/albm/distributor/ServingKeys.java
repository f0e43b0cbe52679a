// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.topology.ClearText;
import io.albm.core.topology.FrontendMode;
import io.albm.core.topology.ProxyGreeting;
import io.albm.distributor.http.AccessFormat;
import io.albm.distributor.routing.RoutingPolicies;
import java.util.List;
import java.util.Locale;

/** What is served where until the live settings say otherwise, and what is written down of it. */
final class ServingKeys {
    static final Key<Integer> PORT = Key.integer("port", 8080, 0, 65_535, "HTTP port; 0 takes any free one.");
    static final Key<String> TOPOLOGY = Key.text(
            "topology",
            "",
            "File of frontends, routes and pools, in the keys of 'albm topology'; takes the place of port, tls-port, mode"
                    + " and what else says what is served where.");
    static final Key<String> CLEAR_TEXT = Key.choice(
            "clear-text-protocol",
            ClearText.ANY.id(),
            ClearText.ids(),
            "What is spoken on the HTTP port: what the client begins with, or one alone (http2: with prior knowledge).");
    static final Key<Boolean> ACCEPT_PROXY = Key.flag(
            "accept-proxy-protocol",
            "A balancer in front begins each connection with the PROXY protocol (v1 or v2), and no one else can connect.");
    static final Key<String> SEND_PROXY = Key.choice(
            "send-proxy-protocol",
            ProxyGreeting.NONE.id(),
            ProxyGreeting.ids(),
            "How backends are told who the client is before the first byte; with mode tcp only.");
    static final Key<Integer> TLS_PORT =
            Key.integer("tls-port", 8443, 0, 65_535, "TLS port, if there are certificates; 0 takes any free one.");
    static final Key<String> CERTIFICATES = Key.text(
            "tls-certificates",
            "",
            "Directory of NAME.crt and NAME.key files (PEM); none: no TLS. Read anew when a file changes.");
    static final Key<String> MODE = Key.choice(
            "mode",
            FrontendMode.HTTP.id(),
            FrontendMode.ids(),
            "What the port speaks: HTTP, or any protocol over TCP, one backend for each connection.");
    static final Key<String> ACCESS_LOG = Key.text(
            "access-log",
            "",
            "File that gets a line for each request; none: no access log. May be moved away to rotate it.");
    static final Key<String> ACCESS_LOG_FORMAT = Key.choice(
            "access-log-format", AccessFormat.COMBINED.id(), AccessFormat.ids(), "How lines of the access log look.");
    static final Key<String> BACKENDS = Key.text(
            "backends",
            "",
            "Further backends, host:port with commas between, maybe with weight=0..256; any HTTP server, not only members"
                    + " of the cluster.");
    static final Key<String> POLICY = Key.choice(
            "policy",
            "albm-threshold",
            RoutingPolicies.names(),
            "How requests are spread, until the cluster's live configuration says otherwise.");

    /** All of them, in the order of the help. */
    static final List<Key<?>> ALL = List.of(
            PORT,
            TOPOLOGY,
            CLEAR_TEXT,
            ACCEPT_PROXY,
            SEND_PROXY,
            TLS_PORT,
            CERTIFICATES,
            MODE,
            ACCESS_LOG,
            ACCESS_LOG_FORMAT,
            BACKENDS,
            POLICY);

    private ServingKeys() {}

    static AccessFormat accessFormat(Configuration configuration) {
        return AccessFormat.valueOf(configuration.get(ACCESS_LOG_FORMAT).toUpperCase(Locale.ROOT));
    }
}
