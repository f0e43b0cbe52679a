// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fat JAR under a JVM that is too old: one line that says what to do, instead of a stack trace. */
final class JavaGateIT {
    @TempDir
    private Path directory;

    static Stream<Path> fatJars() throws IOException {
        try (Stream<Path> modules = Files.list(Albm.home())) {
            return modules
                    .map(module -> module.resolve("target").resolve(module.getFileName() + "-all.jar"))
                    .filter(Files::exists)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("fatJars")
    void saysInOneLineWhichJavaItNeeds(Path jar) throws Exception {
        Optional<Path> java17 = java17();
        assumeTrue(java17.isPresent(), "no JDK 17 on this machine");
        Path err = directory.resolve("err.txt");
        Process process = new ProcessBuilder(java17.get().toString(), "-jar", jar.toString(), "run")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(78);
        assertThat(Files.readString(err))
                .hasLineCount(1)
                .startsWith("albm: needs Java 25, but this is Java 17 (")
                .contains("./albm", "JAVA_HOME");
    }

    private static Optional<Path> java17() throws IOException {
        Path folder = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(folder)) {
            return homes.filter(home -> isJava17(home.resolve("release")))
                    .map(home -> home.resolve("bin/java"))
                    .filter(Files::isExecutable)
                    .findFirst();
        }
    }

    private static boolean isJava17(Path release) {
        try {
            return Files.exists(release) && Files.readString(release).contains("JAVA_VERSION=\"17");
        } catch (IOException e) {
            return false;
        }
    }
}
