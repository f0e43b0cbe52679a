// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import io.albm.core.node.NodeAddress;

/**
 * A server that an operator named: any HTTP or TCP server, not only members of the cluster. Its id is its address.
 *
 * @param weight how much it takes against the others under a policy that heeds weights, 0 to {@link #MAX_WEIGHT}; 0 takes
 *     nothing new
 */
public record StaticBackend(NodeAddress address, int weight) {
    /** HAProxy's largest. */
    public static final int MAX_WEIGHT = 256;

    /** What a backend weighs that nobody gave a weight. */
    public static final int DEFAULT_WEIGHT = 1;

    private static final String WEIGHT = "weight=";

    /**
     * Reads {@code host:port}, or {@code host:port weight=3}.
     *
     * @throws IllegalArgumentException if the text has another form; the message says what was expected
     */
    static StaticBackend parse(String text) {
        String[] words = text.strip().split("\\s+", -1);
        NodeAddress address = NodeAddress.parse(words[0]);
        if (address.port() == 0) {
            throw new IllegalArgumentException("backend '" + words[0] + "': expected a port of 1 to 65535");
        }
        if (words.length == 1) {
            return new StaticBackend(address, DEFAULT_WEIGHT);
        }
        if (words.length > 2 || !words[1].startsWith(WEIGHT)) {
            throw new IllegalArgumentException(
                    "backend '" + text.strip() + "': expected host:port, or host:port weight=3");
        }
        return new StaticBackend(address, weight(words[1].substring(WEIGHT.length())));
    }

    /** Reads a weight. */
    static int weight(String text) {
        try {
            int weight = Integer.parseInt(text);
            if (weight >= 0 && weight <= MAX_WEIGHT) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // told below, with what was expected
        }
        throw new IllegalArgumentException("weight '" + text + "': expected a whole number of 0 to " + MAX_WEIGHT);
    }

    @Override
    public String toString() {
        return weight == DEFAULT_WEIGHT ? address.toString() : address + " " + WEIGHT + weight;
    }
}
