// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * By which live settings one cache server serves: its own go before those of all.
 *
 * @param settings all of the role
 * @param id of the server
 */
record CacheSettingsInForce(Map<String, String> settings, String id) {

    /**
     * What a change that the server took over means for it.
     *
     * @param changes by the names of the settings; empty for what was taken back
     */
    String after(SortedMap<String, Optional<String>> changes) {
        List<String> others = changes.keySet().stream()
                .filter(name -> !inForce(name).equals(changes.get(name)))
                .toList();
        List<String> own = others.stream().filter(name -> own(name).isPresent()).toList();
        if (others.isEmpty()) {
            return Verdicts.IN_FORCE;
        } else if (own.isEmpty()) {
            return Verdicts.IN_FORCE + ", " + values(others) + " as for all";
        }
        String rest = own.size() == changes.size() ? "" : Verdicts.IN_FORCE + ", but ";
        return rest + "keeps its own " + values(own) + " until --reset --server " + id;
    }

    private Optional<String> inForce(String name) {
        return own(name).or(() -> Optional.ofNullable(settings.get(name)));
    }

    private Optional<String> own(String name) {
        return Optional.ofNullable(settings.get(id + "." + name));
    }

    private String values(List<String> names) {
        return String.join(
                ", ",
                names.stream()
                        .map(name -> name + " " + inForce(name).orElseThrow())
                        .toList());
    }
}
