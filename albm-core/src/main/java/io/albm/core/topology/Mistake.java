// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

/**
 * One thing that is wrong with a topology.
 *
 * @param key the setting that has to be changed
 * @param text one line that names the value, what was expected and, where there is one, the nearest name
 */
public record Mistake(String key, String text) {
    @Override
    public String toString() {
        return key + ": " + text;
    }
}
