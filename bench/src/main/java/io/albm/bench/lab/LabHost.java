// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import io.albm.checkpoint.job.HostSegments;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.proc.ProcFile;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A host of a {@link Lab}: its first thread is in the host's network, and so are threads that are started from there, the event
 * loops of a transport among them. Thread-safe.
 */
public final class LabHost implements AutoCloseable {
    private static final int OUTSIDE = 0;
    private static final int END_SECONDS = 10;

    private final int number;
    private final InetAddress address;
    private final ExecutorService first;

    private LabHost(int number) throws IOException {
        this.number = number;
        this.address = InetAddress.getByName(number == OUTSIDE ? "10.78.255.1" : "10.78.0." + number);
        this.first = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("lab-h" + number).factory());
    }

    static LabHost enter(int number, Path namespace) throws IOException {
        LabHost host = new LabHost(number);
        try {
            host.call(() -> {
                LinuxCalls.enterNetwork(namespace);
                return true;
            });
            return host;
        } catch (IOException | RuntimeException e) {
            host.close();
            throw e;
        }
    }

    /** By which it is known in the lab. */
    public int number() {
        return number;
    }

    /** Its address in the lab. */
    public InetAddress address() {
        return address;
    }

    /** Does something short on this host, in turn with what else is asked of its first thread. */
    public <T> T call(Callable<T> work) throws IOException {
        try {
            return CompletableFuture.supplyAsync(() -> result(work), first).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw new IOException("host " + number + ": " + failure.getMessage(), failure);
            }
            throw e;
        }
    }

    private static <T> T result(Callable<T> work) {
        try {
            return work.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    /** Starts a daemon thread on this host. */
    public Thread start(String name, Runnable work) throws IOException {
        return call(() -> Thread.ofPlatform()
                .daemon()
                .name("lab-h%d-%s".formatted(number, name))
                .start(work));
    }

    /** What its kernel has counted since the lab was made. */
    public TcpSegments segments() throws IOException {
        return call(() -> {
            try (ProcFile snmp = ProcFile.open(Path.of("/proc/thread-self/net/snmp"))) {
                return HostSegments.parse(snmp.read());
            }
        });
    }

    /** Opens a way to measure round trips from here; the thread that does must be one of this host. */
    Echo echo(LabHost to, Duration patience) throws IOException {
        return new Echo(to.address, number, patience);
    }

    @Override
    public void close() {
        first.shutdown();
        try {
            if (!first.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("host " + number + " is still at work");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
