// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;

/**
 * A switch's port with a short buffer, which writers of a checkpoint share with others: fluid TCP flows (one segment more each round
 * trip, half of the window at a loss), the loss of each drawn with a seed. Steps of 1 ms; sends at rates that a test gives it.
 */
final class SharedPort {
    static final double BYTES_PER_SECOND = 12.5e6;
    private static final double SEGMENT = 1448;
    private static final double STEP_SECONDS = 0.001;
    private static final double PATH_SECONDS = 0.0005;

    private final Random random;
    private final double bufferBytes;
    private final double[] windows;
    private final double[] calmUntil;
    private final int own;
    private final List<Double> queueSeconds = new ArrayList<>();
    private double queueBytes;
    private double seconds;
    private double ownBytes;
    private double ownSegments;
    private double ownLost;

    /**
     * @param own flows of the checkpoint
     * @param others long TCP flows of others
     */
    SharedPort(long seed, double bufferBytes, int own, int others) {
        this.random = new Random(seed);
        this.bufferBytes = bufferBytes;
        this.own = own;
        this.windows = new double[own + others];
        this.calmUntil = new double[own + others];
        Arrays.fill(windows, 10 * SEGMENT);
    }

    /** @param ownLimit bytes per second that all flows of the checkpoint together send at most */
    void run(double forSeconds, DoubleSupplier ownLimit, DoubleSupplier othersConstantRate, Runnable everyMilli) {
        for (double end = seconds + forSeconds; seconds < end; seconds += STEP_SECONDS) {
            everyMilli.run();
            step(ownLimit.getAsDouble(), othersConstantRate.getAsDouble());
        }
    }

    private void step(double ownLimit, double constantRate) {
        double[] sent = new double[windows.length];
        double wanted = 0;
        for (int flow = 0; flow < windows.length; flow++) {
            sent[flow] = windows[flow] / roundTripSeconds() * STEP_SECONDS;
            wanted += flow < own ? sent[flow] : 0;
        }
        double granted = Math.min(1, ownLimit * STEP_SECONDS / Math.max(1, wanted));
        double all = constantRate * STEP_SECONDS;
        for (int flow = 0; flow < windows.length; flow++) {
            sent[flow] *= flow < own ? granted : 1;
            all += sent[flow];
        }
        double before = queueBytes;
        queueBytes = Math.max(0, queueBytes + all - BYTES_PER_SECOND * STEP_SECONDS);
        double lost = Math.max(0, queueBytes - bufferBytes);
        queueBytes -= lost;
        queueSeconds.add((before + queueBytes) / 2 / BYTES_PER_SECOND);
        for (int flow = 0; flow < windows.length; flow++) {
            deliver(flow, sent[flow], sent[flow] * lost / Math.max(1, all), flow < own && granted < 1);
        }
    }

    private void deliver(int flow, double sent, double lost, boolean isLimited) {
        if (flow < own) {
            ownBytes += sent - lost;
            ownSegments += sent / SEGMENT;
            ownLost += lost / SEGMENT;
        }
        boolean isLoss = random.nextDouble() < 1 - Math.exp(-lost / SEGMENT);
        if (isLoss && seconds >= calmUntil[flow]) {
            windows[flow] = Math.max(SEGMENT, windows[flow] / 2);
            calmUntil[flow] = seconds + roundTripSeconds();
        } else if (!isLimited) {
            windows[flow] += SEGMENT * STEP_SECONDS / roundTripSeconds();
        }
    }

    double roundTripSeconds() {
        return PATH_SECONDS + queueBytes / BYTES_PER_SECOND;
    }

    long nanos() {
        return (long) (seconds * 1e9);
    }

    /** Of the checkpoint, arrived. */
    double bytes() {
        return ownBytes;
    }

    TcpSegments segments() {
        return new TcpSegments((long) (ownSegments - ownLost), (long) ownLost);
    }

    /** How long a bystander's packet waits: this share of the time at most. */
    double queueSeconds(double share) {
        return queueSeconds.stream()
                .sorted()
                .skip((long) (share * (queueSeconds.size() - 1)))
                .findFirst()
                .orElseThrow();
    }
}
