// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import io.albm.core.text.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Flat keys, sorted into the frontends, routes and pools that they speak of. A key that speaks of nothing is a mistake. */
final class Keys {
    private static final Map<String, List<String>> FIELDS = Map.of(
            FrontendSpec.KIND,
            List.of(
                    FrontendSpec.BIND,
                    FrontendSpec.MODE,
                    FrontendSpec.CERTIFICATES,
                    FrontendSpec.CLEAR_TEXT,
                    FrontendSpec.ACCEPT_PROXY,
                    FrontendSpec.SEND_PROXY,
                    FrontendSpec.POOL,
                    FrontendSpec.POLICY),
            RouteSpec.KIND,
            List.of(RouteSpec.FRONTEND, RouteSpec.HOST, RouteSpec.PATH, RouteSpec.POOL, RouteSpec.PRIORITY),
            PoolSpec.KIND,
            List.of(
                    PoolSpec.MEMBERS,
                    PoolSpec.BACKENDS,
                    PoolSpec.POLICY,
                    PoolSpec.MAX_CONNECTIONS,
                    PoolSpec.QUEUE_SIZE,
                    PoolSpec.QUEUE_TIMEOUT,
                    PoolSpec.CHECK_PATH,
                    PoolSpec.RISE,
                    PoolSpec.FALL,
                    PoolSpec.ANNOUNCE_WAITING));

    /** What a key may begin with, before its first dot. */
    static final List<String> KINDS = List.of(FrontendSpec.KIND, RouteSpec.KIND, PoolSpec.KIND, Topology.WEIGHT);

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    private final List<Mistake> mistakes;
    private final Map<String, SortedMap<String, Map<String, String>>> fields = new TreeMap<>();
    private final SortedMap<String, String> weights = new TreeMap<>();

    private Keys(List<Mistake> mistakes) {
        this.mistakes = mistakes;
    }

    static Keys of(Map<String, String> settings, List<Mistake> mistakes) {
        var keys = new Keys(mistakes);
        new TreeMap<>(settings).forEach(keys::sort);
        return keys;
    }

    static String first(String key) {
        int dot = key.indexOf('.');
        return dot < 0 ? key : key.substring(0, dot);
    }

    private void sort(String key, String value) {
        String kind = first(key);
        if (key.equals(Topology.POLICY)) {
            return;
        }
        if (!KINDS.contains(kind) || key.length() <= kind.length() + 1) {
            wrong(
                    key,
                    "no such key: expected policy, frontend.NAME.FIELD, route.NAME.FIELD, pool.NAME.FIELD or"
                            + " weight.BACKEND" + Nearest.hint(kind, KINDS));
        } else if (kind.equals(Topology.WEIGHT)) {
            weights.put(key.substring(kind.length() + 1), value);
        } else {
            field(kind, key, value);
        }
    }

    private void field(String kind, String key, String value) {
        String rest = key.substring(kind.length() + 1);
        int dot = rest.indexOf('.');
        String name = dot < 0 ? rest : rest.substring(0, dot);
        String field = dot < 0 ? "" : rest.substring(dot + 1);
        List<String> known = FIELDS.getOrDefault(kind, List.of());
        if (!NAME.matcher(name).matches()) {
            wrong(key, "name '" + name + "': expected up to 63 of a-z, 0-9 and '-'");
        } else if (!known.contains(field)) {
            wrong(
                    key,
                    "no such field of a " + kind + ": expected " + kind + "." + name + " with one of "
                            + String.join(", ", known) + Nearest.hint(field, known));
        } else {
            fields.computeIfAbsent(kind, _ -> new TreeMap<>())
                    .computeIfAbsent(name, _ -> new TreeMap<>())
                    .put(field, value);
        }
    }

    private void wrong(String key, String text) {
        mistakes.add(new Mistake(key, text));
    }

    List<Section> sections(String kind) {
        List<Section> sections = new ArrayList<>();
        fields.getOrDefault(kind, new TreeMap<>())
                .forEach((name, values) -> sections.add(new Section(kind, name, values, mistakes)));
        return sections;
    }

    /** By the backend's id. */
    Map<String, String> weights() {
        return weights;
    }
}
