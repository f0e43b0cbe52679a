// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a container's control group says. The kernel removes the group when its container ends, and descriptors of it stay
 * dead when the container starts again with another group at the same place: after a sample that failed the group is
 * looked for anew.
 *
 * @param <G> the group
 */
final class ContainerSource<G extends Closeable> implements CounterSource, Closeable {
    private final Opening<G> opening;
    private final Function<G, CounterSource> reading;
    private @Nullable G group;
    private @Nullable CounterSource source;

    private ContainerSource(Opening<G> opening, Function<G, CounterSource> reading) {
        this.opening = opening;
        this.reading = reading;
    }

    /**
     * Opens a group that has to be there now.
     *
     * @param reading makes the source from the group, with nothing kept of a group before
     */
    static <G extends Closeable> ContainerSource<G> open(Opening<G> opening, Function<G, CounterSource> reading)
            throws IOException {
        var container = new ContainerSource<>(opening, reading);
        container.find();
        return container;
    }

    private CounterSource find() throws IOException {
        G found = opening.open();
        CounterSource made = reading.apply(found);
        group = found;
        source = made;
        return made;
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        CounterSource known = source;
        CounterSource current = known == null ? find() : known;
        try {
            return current.sample(nowNanos);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        G left = group;
        group = null;
        source = null;
        if (left != null) {
            left.close();
        }
    }

    /** How a group is opened; fails while there is none. */
    @FunctionalInterface
    interface Opening<G> {
        G open() throws IOException;
    }
}
