// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import java.time.Duration;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * One setting in which all contenders are compared.
 *
 * @param servers a multiple of 4: each four are the paper's cluster, two with an antagonist and one with half a processor
 * @param loadPerFour requests/s for each four servers
 * @param distributors they share the clients at random
 * @param trouble what else goes wrong
 */
record Scenario(int servers, int loadPerFour, int distributors, Trouble trouble) {

    /** What goes wrong beside antagonists and a slow server. */
    enum Trouble {
        NONE,
        /** Reports of agents arrive 3 s late. */
        STALE_AGENTS,
        /** The agents of every second server are silent in the middle third of the time. */
        LOST_AGENTS,
        /** Requests of one class differ, and what responses say about it is wrong, both lognormal with sigma 0.5. */
        NOISY_COSTS,
        /** No response says what it cost; only the agents' reports can teach it. */
        UNTOLD_COSTS,
        /** Clients go away after 5 s, not 10; a server that has begun works on in vain. */
        IMPATIENT_CLIENTS,
        /** Half of the clients come to the first distributor. */
        UNEVEN_CLIENTS
    }

    private static final Duration PROMPT = Duration.ofMillis(30);
    private static final Duration STALE = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration IMPATIENCE = Duration.ofSeconds(5);
    private static final double NOISE = 0.5;

    static Scenario plain(int servers, int loadPerFour, int distributors) {
        return new Scenario(servers, loadPerFour, distributors, Trouble.NONE);
    }

    Scenario with(Trouble other) {
        return new Scenario(servers, loadPerFour, distributors, other);
    }

    String name() {
        String plain = servers + "-servers/" + loadPerFour + "-per-s/" + distributors
                + (distributors == 1 ? "-distributor" : "-distributors");
        return trouble == Trouble.NONE
                ? plain
                : plain + "/" + trouble.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    double arrivalsPerSecond() {
        return loadPerFour * servers / 4.0;
    }

    Duration reportDelay() {
        return trouble == Trouble.STALE_AGENTS ? STALE : PROMPT;
    }

    boolean losesAgents() {
        return trouble == Trouble.LOST_AGENTS;
    }

    /** By how much one request differs from its class: a factor of mean 1. */
    double noise(RandomGenerator random) {
        return trouble == Trouble.NOISY_COSTS ? Math.exp(NOISE * random.nextGaussian() - NOISE * NOISE / 2) : 1;
    }

    boolean responsesTellCosts() {
        return trouble != Trouble.UNTOLD_COSTS;
    }

    Duration patience() {
        return trouble == Trouble.IMPATIENT_CLIENTS ? IMPATIENCE : PATIENCE;
    }

    boolean isUneven() {
        return trouble == Trouble.UNEVEN_CLIENTS;
    }
}
