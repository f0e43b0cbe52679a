// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeAddress;
import io.netty.handler.ssl.SslContext;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.StandardConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An origin that speaks TLS: the JDK's, over real sockets. */
class OriginTlsTest extends OriginHarness {

    private static final String NAME = "localhost";

    @TempDir
    private Path temp;

    private final List<String> askedNames = new CopyOnWriteArrayList<>();
    private X509Bundle authority;
    private ScriptedOrigin secure;

    @BeforeEach
    void listen() throws Exception {
        authority = new CertificateBuilder()
                .ecp256()
                .subject("CN=authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        secure = origin;
    }

    @AfterEach
    void end() throws IOException {
        secure.close();
    }

    private static CertificateBuilder certificate(String name) {
        return new CertificateBuilder().ecp256().subject("CN=origin").addSanDnsName(name);
    }

    private void serve(CertificateBuilder certificate, SslContext tls) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(certificate.buildIssuedBy(authority).toKeyManagerFactory().getKeyManagers(), null, null);
        SSLServerSocket listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 100, InetAddress.getLoopbackAddress());
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setSNIMatchers(List.of(new SNIMatcher(StandardConstants.SNI_HOST_NAME) {
            @Override
            public boolean matches(SNIServerName name) {
                return askedNames.add(new String(name.getEncoded(), StandardCharsets.US_ASCII));
            }
        }));
        listener.setSSLParameters(parameters);
        secure = new ScriptedOrigin(listener);
        secure.answer("hello", "Cache-Control: max-age=60");
        restart(tls);
    }

    private void restart(SslContext tls) throws Exception {
        NodeAddress address = new NodeAddress(NAME, secure.address().port());
        restart(OriginSettings.of(new Origin(address, "", tls)));
    }

    private SslContext trusted() throws IOException {
        Path file = temp.resolve("authority.pem");
        Files.writeString(file, authority.getCertificatePEM());
        return OriginTls.verified(file);
    }

    @Test
    void asksAnOriginThatIsWhoItShouldBe() throws Exception {
        serve(certificate(NAME), trusted());
        assertThat(get("/a").body()).isEqualTo("hello");
        assertThat(get("/a").body()).isEqualTo("hello");
        assertThat(post("/b", "x".repeat(1 << 20)).statusCode()).isEqualTo(200);
        assertThat(secure.last().body()).hasSize(1 << 20);
        assertThat(askedNames).contains(NAME);
        assertThat(reach.said()).containsExactly("");
    }

    @Test
    void asksNobodyWhoseCertificateNobodySigned() throws Exception {
        serve(certificate(NAME), OriginTls.verified());
        refuses("signed by nobody who is trusted here; name the signer's certificate with origin-trust");
    }

    @Test
    void asksNobodyWhoseCertificateIsForAnother() throws Exception {
        serve(certificate("other.test"), trusted());
        refuses("its certificate is for another name (No subject alternative DNS name matching localhost found.)");
    }

    @Test
    void asksNobodyWhoseCertificateHasExpired() throws Exception {
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        serve(certificate(NAME).notBefore(yesterday.minus(Duration.ofDays(1))).notAfter(yesterday), trusted());
        refuses("its certificate has expired (NotAfter: ");
    }

    @Test
    void asksNobodyWhoSpeaksNoTls() throws Exception {
        try (ServerSocket clear = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> refuseAll(clear));
            NodeAddress address = new NodeAddress(NAME, clear.getLocalPort());
            restart(OriginSettings.of(new Origin(address, "", trusted())));
            refuses("it does not speak TLS");
        }
    }

    private static void refuseAll(ServerSocket listener) {
        while (!listener.isClosed()) {
            try (Socket client = listener.accept()) {
                ScriptedOrigin.write(client.getOutputStream(), "HTTP/1.1 400 Bad Request\r\n\r\n");
                client.getInputStream().readAllBytes();
            } catch (IOException e) {
                // The cache, or the test, ended the connection.
            }
        }
    }

    private void refuses(String reason) throws Exception {
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> reply = get("/a");
            assertThat(reply.statusCode()).isEqualTo(502);
            assertThat(reply.body())
                    .startsWith("the origin cannot be reached: ")
                    .contains(reason);
        }
        assertThat(secure.asked()).isEmpty();
        assertThat(reach.said()).singleElement().asString().contains(reason);
    }

    @Test
    void believesAnybodyWhereToldTo() throws Exception {
        serve(certificate("other.test"), OriginTls.unverified());
        assertThat(get("/a").body()).isEqualTo("hello");
    }

    @Test
    void saysThatTheOriginIsBack() throws Exception {
        serve(certificate(NAME), OriginTls.verified());
        assertThat(get("/a").statusCode()).isEqualTo(502);
        restart(trusted());
        assertThat(get("/a").statusCode()).isEqualTo(200);
        assertThat(reach.said()).hasSize(2).last().isEqualTo("");
    }

    @Test
    void namesWhatIsWrongWithAFileOfCertificates() throws Exception {
        Path file = temp.resolve("none.pem");
        assertThatThrownBy(() -> OriginTls.verified(file)).isInstanceOf(IOException.class);
        Files.writeString(file, "");
        assertThatThrownBy(() -> OriginTls.verified(file)).hasMessageContaining("no certificate");
        Files.writeString(file, "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n");
        assertThatThrownBy(() -> OriginTls.verified(file)).hasMessageContaining("no PEM file");
    }
}
