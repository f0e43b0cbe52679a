// SPDX-License-Identifier: Apache-2.0
package io.albm.core.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Self-signed certificates for tests. */
public final class TestCertificates {
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final int SEQUENCE = 0x30;
    private static final int DNS_NAME = 0x82;

    private TestCertificates() {}

    /** Writes {@code FILE.crt} and {@code FILE.key} for these host names, each of less than a hundred letters. */
    public static void write(Path directory, String file, String... names) throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .algorithm(CertificateBuilder.Algorithm.ecp256)
                .subject("CN=" + file)
                .setIsCertificateAuthority(true)
                .addExtensionOctetString(SUBJECT_ALTERNATIVE_NAME, false, alternatives(names))
                .buildSelfSigned();
        Files.writeString(directory.resolve(file + ".crt"), bundle.getCertificatePathPEM());
        Files.writeString(directory.resolve(file + ".key"), bundle.getPrivateKeyPEM());
    }

    /** By hand in DER, because the builder takes no wildcards. */
    private static byte[] alternatives(String... names) {
        var list = new ByteArrayOutputStream();
        for (String name : names) {
            list.writeBytes(tagged(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII)));
        }
        return tagged(SEQUENCE, list.toByteArray());
    }

    private static byte[] tagged(int tag, byte[] content) {
        var der = new ByteArrayOutputStream();
        der.write(tag);
        der.write(content.length);
        der.writeBytes(content);
        return der.toByteArray();
    }
}
