// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import java.util.ArrayList;
import java.util.List;

/**
 * What is measured, and how long it takes.
 *
 * @param ports numbers of I/O nodes: 1, 4, or 16, which are the ranks' own hosts
 * @param buffersKilobytes of the switch's ports
 * @param loads other traffic
 * @param rounds turns of each scheme in each scene
 * @param longMegabytes what a rank stores through the paper's one port, while nobody else uses it; 1024 x 1024 bytes each
 * @param shortMegabytes what a rank stores in all other scenes
 * @param checkpoints for which a group size is chosen at each load of {@link GroupSizes}
 */
record StripePlan(
        List<Integer> ports,
        List<Integer> buffersKilobytes,
        List<Load> loads,
        int rounds,
        int longMegabytes,
        int shortMegabytes,
        int checkpoints) {
    static final int USUAL_BUFFER = 64;

    private static final int MEGABYTE = 1 << 20;

    /** 16 hosts that all send and receive this much keep two processors busy; one port can be the paper's. */
    private static final int ALL_TO_ALL_MEGABITS = 25;

    private static final int MEGABITS = 100;

    StripePlan {
        ports = List.copyOf(ports);
        buffersKilobytes = List.copyOf(buffersKilobytes);
        loads = List.copyOf(loads);
    }

    static StripePlan full() {
        return new StripePlan(
                List.of(1, 4, Scene.RANKS), List.of(16, USUAL_BUFFER, 256), List.of(Load.values()), 3, 20, 4, 40);
    }

    static StripePlan quick() {
        return new StripePlan(
                List.of(1, Scene.RANKS), List.of(USUAL_BUFFER), List.of(Load.NONE, Load.MOST), 1, 4, 2, 8);
    }

    /** Fewer, or other, scenes; empty lists change nothing. */
    StripePlan with(List<Integer> otherPorts, List<Integer> otherBuffers, List<Load> otherLoads, int otherRounds) {
        return new StripePlan(
                otherPorts.isEmpty() ? ports : otherPorts,
                otherBuffers.isEmpty() ? buffersKilobytes : otherBuffers,
                otherLoads.isEmpty() ? loads : otherLoads,
                otherRounds == 0 ? rounds : otherRounds,
                longMegabytes,
                shortMegabytes,
                checkpoints);
    }

    /** All that are measured, in order. */
    List<Scene> scenes() {
        List<Scene> scenes = new ArrayList<>();
        for (int port : ports) {
            for (int buffer : buffersKilobytes) {
                loads.forEach(load -> scenes.add(scene(port, buffer, load)));
            }
        }
        return scenes;
    }

    private Scene scene(int port, int buffer, Load load) {
        boolean isLong = port == 1 && buffer == USUAL_BUFFER && load == Load.NONE;
        // Through one port of 100 Mbit the same bytes take four times as long as through four of them, or 16 of 25.
        int megabytes = isLong ? longMegabytes : port == 1 ? shortMegabytes / 2 : shortMegabytes;
        return new Scene(
                port,
                port == Scene.RANKS ? ALL_TO_ALL_MEGABITS : MEGABITS,
                buffer,
                load,
                (long) megabytes * MEGABYTE,
                rounds);
    }
}
