// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.policy.MeasuredReadCost.Objective;
import io.albm.cache.store.ResidentControl;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Units;
import io.albm.core.node.NodeId;
import io.albm.core.text.Nearest;
import io.albm.core.topology.Mistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Capacity, policy and objective as operators change them: {@code capacity}, {@code policy} and {@code objective} for all
 * cache servers of the cluster, {@code ID.capacity} and so on for one of them, which go before. What is not set is as the server
 * was started.
 */
final class CacheSettings {

    static final String SCOPE = "cache-server";

    private static final String CAPACITY = "capacity";
    private static final String POLICY = "policy";
    private static final String OBJECTIVE = "objective";
    private static final List<String> NAMES = List.of(CAPACITY, POLICY, OBJECTIVE);

    private final NodeId id;
    private final ResidentControl<?> control;
    private final long startCapacityBytes;
    private final String startPolicy;
    private final Objective startObjective;

    CacheSettings(
            NodeId id,
            ResidentControl<?> control,
            long startCapacityBytes,
            String startPolicy,
            Objective startObjective) {
        this.id = id;
        this.control = control;
        this.startCapacityBytes = startCapacityBytes;
        this.startPolicy = startPolicy;
        this.startObjective = startObjective;
    }

    /** Serves by these live settings, or says what is wrong with them. Blocks. */
    List<Mistake> change(Map<String, String> settings) {
        List<Mistake> mistakes = new ArrayList<>();
        settings.keySet().stream().filter(key -> !isKnown(key)).forEach(key -> mistakes.add(unknown(key)));
        Optional<Setting> capacity = find(settings, CAPACITY);
        Optional<Setting> policy = find(settings, POLICY);
        long bytes = capacity.map(setting -> bytes(setting, mistakes)).orElse(startCapacityBytes);
        policy.ifPresent(setting -> checkPolicy(setting, mistakes));
        Objective objective = find(settings, OBJECTIVE)
                .map(setting -> objective(setting, mistakes))
                .orElse(startObjective);
        if (mistakes.isEmpty()) {
            control.changePolicy(policy.map(Setting::value).orElse(startPolicy));
            control.changeObjective(objective);
            resize(capacity.map(Setting::key).orElse(CAPACITY), bytes, mistakes);
        }
        return mistakes;
    }

    private record Setting(String key, String value) {}

    private static boolean isKnown(String key) {
        return NAMES.contains(key.substring(key.lastIndexOf('.') + 1));
    }

    private static Mistake unknown(String key) {
        return new Mistake(key, "no such setting" + Nearest.hint(key, NAMES));
    }

    private Optional<Setting> find(Map<String, String> settings, String name) {
        return Stream.of(id.value() + "." + name, name)
                .filter(settings::containsKey)
                .findFirst()
                .map(key -> new Setting(key, settings.getOrDefault(key, "")));
    }

    private static long bytes(Setting setting, List<Mistake> mistakes) {
        try {
            long bytes = Units.parseSize(setting.value);
            CacheServerConfig.requireRoom(bytes, "live setting " + setting.key);
            return bytes;
        } catch (IllegalArgumentException | ConfigException e) {
            mistakes.add(new Mistake(setting.key, "'" + setting.value + "': " + e.getMessage()));
            return 0;
        }
    }

    private Objective objective(Setting setting, List<Mistake> mistakes) {
        try {
            return Objective.of(setting.value);
        } catch (IllegalArgumentException e) {
            mistakes.add(new Mistake(setting.key, "'" + setting.value + "': " + e.getMessage()));
            return startObjective;
        }
    }

    private static void checkPolicy(Setting setting, List<Mistake> mistakes) {
        List<String> names = EvictionPolicies.names();
        if (!names.contains(setting.value)) {
            mistakes.add(new Mistake(
                    setting.key,
                    "'" + setting.value + "': expected one of " + String.join(", ", names)
                            + Nearest.hint(setting.value, names)));
        }
    }

    private void resize(String key, long bytes, List<Mistake> mistakes) {
        try {
            if (!control.resize(bytes)) {
                mistakes.add(new Mistake(
                        key,
                        "responses under way hold the memory that shrinking to " + bytes
                                + " bytes needs; it is smaller now, but not that small: set another capacity"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            mistakes.add(new Mistake(key, "interrupted by the end of the process"));
        }
    }
}
