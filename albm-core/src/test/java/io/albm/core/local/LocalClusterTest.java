// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.cli.CliException;
import io.albm.core.node.Role;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes that are ready at once and do nothing. */
class LocalClusterTest {
    @TempDir
    private Path temp;

    private ClusterSpec spec;
    private Installation installation;

    /** What each process runs; not for long, should it be forgotten. */
    static final class Idle {
        private Idle() {}

        public static void main(String[] args) throws InterruptedException {
            System.out.println("READY {\"endpoints\":{\"any\":\"127.0.0.1:1\",\"admin\":\"127.0.0.1:2\"}}");
            TimeUnit.MINUTES.sleep(1);
        }
    }

    @BeforeEach
    void install() throws IOException {
        spec = ClusterSpec.of("idle", temp.resolve(".albm"), temp).sized(0, 0).onFreePorts();
        installation = new Installation(temp);
        for (Role role : Role.values()) {
            writeJar(installation.jar(role));
        }
    }

    private static void writeJar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Idle.class.getName());
        String name = Idle.class.getName().replace('.', '/') + ".class";
        Files.createDirectories(jar.getParent());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream code = Idle.class.getClassLoader().getResourceAsStream(name)) {
            out.putNextEntry(new JarEntry(name));
            code.transferTo(out);
        }
    }

    @Test
    void whoStopsItWhileItStartsStopsAllOfIt() throws IOException {
        try (LocalCluster cluster = LocalCluster.prepare(spec, installation)) {
            assertThatExceptionOfType(CliException.class)
                    .isThrownBy(() -> cluster.start(first -> stop()))
                    .withMessage("cluster 'idle' was stopped");
            assertThat(ClusterFile.alive(cluster.processes())).isEmpty();
        }
    }

    @Test
    void whoStopsItBeforeItStartsAnythingIsHeardToo() throws IOException {
        try (LocalCluster cluster = LocalCluster.prepare(spec, installation)) {
            stop();
            assertThatExceptionOfType(CliException.class)
                    .isThrownBy(() -> cluster.start(ready -> {}))
                    .withMessage("cluster 'idle' was stopped");
            assertThat(cluster.processes()).isEmpty();
        }
    }

    @Test
    void whatStoppedOneDoesNotStopTheNext() throws IOException {
        LocalCluster.start(spec, installation, ready -> {}).detach();
        stop();
        LocalCluster unused = LocalCluster.prepare(spec, installation);
        stop();
        unused.detach();
        stop();
        try (LocalCluster cluster = LocalCluster.start(spec, installation, ready -> {})) {
            assertThat(ClusterFile.alive(cluster.processes())).hasSize(4);
        }
    }

    private void stop() {
        try {
            LocalCluster.stop(spec.directory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
