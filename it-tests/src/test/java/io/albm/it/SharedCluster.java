// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives test classes the one {@link RunningCluster} of this run: it starts with the first class that asks for it and
 * stops after the last test. A test must leave it whole. Classes that use it run one after the other.
 */
final class SharedCluster implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SharedCluster.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RunningCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(Started.class).cluster;
    }

    /** The cluster and its directory, from the first use to the end of the run. */
    static final class Started implements AutoCloseable {
        private final Path directory;
        private final RunningCluster cluster;

        Started() {
            try {
                directory = Files.createTempDirectory("it-cluster");
                cluster = new RunningCluster(directory);
            } catch (IOException e) {
                throw new AssertionError("the shared cluster did not start", e);
            }
        }

        @Override
        public void close() throws IOException {
            cluster.close();
            try (Stream<Path> deepestFirst = Files.walk(directory).sorted(Comparator.reverseOrder())) {
                for (Path path : deepestFirst.toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
