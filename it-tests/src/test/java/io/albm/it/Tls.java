// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import io.albm.core.node.NodeAddress;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Connections under TLS of tests that look at the certificate themselves. */
final class Tls {
    private static final int TIMEOUT_MILLIS = 30_000;

    private Tls() {}

    /**
     * Connects and shakes hands.
     *
     * @param protocols offered by ALPN; none for none
     */
    static SSLSocket connect(NodeAddress address, String... protocols) throws IOException {
        var socket = (SSLSocket) context().getSocketFactory().createSocket(address.host(), address.port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** A context of its own for each connection, or the second one would resume the session of the first. */
    private static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Whose certificate the server has shown. */
    static String subject(SSLSocket socket) throws IOException {
        return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }
}
