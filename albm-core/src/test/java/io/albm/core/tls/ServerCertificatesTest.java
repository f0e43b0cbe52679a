// SPDX-License-Identifier: Apache-2.0
package io.albm.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCertificatesTest {
    @TempDir
    private Path directory;

    @Test
    void choosesByExactNameThenByWildcardThenTheFirst() throws Exception {
        write("1-first", "first.example.org");
        write("2-wild", "*.example.org", "example.org");
        write("3-exact", "exact.example.org");
        ServerCertificates certificates = load();
        SslContext first = certificates.forName("first.example.org");
        SslContext wild = certificates.forName("example.org");
        SslContext exact = certificates.forName("exact.example.org");

        assertThat(List.of(first, wild, exact)).doesNotHaveDuplicates();
        assertThat(certificates.forName("EXACT.Example.org")).isSameAs(exact);
        assertThat(certificates.forName("other.example.org")).isSameAs(wild);
        assertThat(certificates.forName("two.labels.example.org")).isSameAs(first);
        assertThat(certificates.forName("unknown.test")).isSameAs(first);
        assertThat(certificates.forName(null)).isSameAs(first);
    }

    @Test
    void reloadsAllAtOnceWhenAFileHasChanged() throws Exception {
        write("a", "a.test");
        ServerCertificates certificates = load();
        SslContext before = certificates.forName("b.test");
        assertThat(certificates.reload()).isFalse();
        write("b", "b.test");

        assertThat(certificates.reload()).isTrue();
        assertThat(certificates.forName("b.test")).isNotSameAs(before);
        assertThat(certificates.files()).hasSize(2);
    }

    @Test
    void keepsTheOldOnesWhenANewOneIsWrong() throws Exception {
        write("a", "a.test");
        ServerCertificates certificates = load();
        SslContext before = certificates.forName("a.test");
        Files.writeString(directory.resolve("b.crt"), "-----BEGIN CERTIFICATE-----\nnonsense");
        Files.writeString(directory.resolve("b.key"), "nonsense");

        assertThatThrownBy(certificates::reload).isInstanceOf(IOException.class).hasMessageContaining("b.crt");
        assertThat(certificates.forName("a.test")).isSameAs(before);
    }

    @Test
    void namesTheDirectoryThatHoldsNone() {
        assertThatThrownBy(this::load).isInstanceOf(IOException.class).hasMessageContaining(directory.toString());
    }

    @Test
    void namesTheKeyThatIsMissing() throws Exception {
        write("a", "a.test");
        Files.delete(directory.resolve("a.key"));

        assertThatThrownBy(this::load).isInstanceOf(IOException.class).hasMessageContaining("a.key");
    }

    @Test
    void refusesAKeyOfAnotherKindThanPem() throws Exception {
        write("a", "a.test");
        Files.writeString(directory.resolve("a.key"), "nonsense");

        assertThatThrownBy(this::load)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a.crt")
                .hasMessageContaining("a.key");
    }

    @Test
    void saysWhatEachIsForAndUntilWhen() throws Exception {
        write("a", "a.test", "*.b.test");

        assertThat(load().files()).singleElement().satisfies(files -> {
            assertThat(files.names()).containsExactly("a.test", "*.b.test");
            assertThat(files.expires()).isAfter(Instant.now());
        });
    }

    private ServerCertificates load() throws IOException {
        return ServerCertificates.load(directory, List.of("h2", "http/1.1"));
    }

    private void write(String file, String... names) throws Exception {
        TestCertificates.write(directory, file, names);
    }
}
