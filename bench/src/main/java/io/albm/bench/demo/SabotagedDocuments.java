// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import io.albm.bench.load.DocumentTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Makes the generated documents differ from their digests. */
final class SabotagedDocuments {
    private SabotagedDocuments() {}

    static void changeOneByteOfEach(DocumentTree documents) throws IOException {
        try (Stream<Path> walk = Files.walk(documents.root())) {
            List<Path> files = walk.filter(Files::isRegularFile).toList();
            for (Path file : files) {
                byte[] content = Files.readAllBytes(file);
                content[content.length / 2] ^= 1;
                Files.write(file, content);
            }
        }
    }
}
