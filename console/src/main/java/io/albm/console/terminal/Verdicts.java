// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.topology.Fingerprint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the processes of a role make of live settings: each is asked until it says so, within a bound. */
final class Verdicts {
    static final String IN_FORCE = "in force";

    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 100;

    private final Supplier<SortedMap<String, @Nullable JsonNode>> states;
    private final String look;

    /**
     * @param states what each says of its live settings now, by id; null for one that does not answer
     * @param look the command that shows it later
     */
    Verdicts(Supplier<SortedMap<String, @Nullable JsonNode>> states, String look) {
        this.states = states;
        this.look = look;
    }

    /**
     * Waits until all have said what came of the settings that were written, and prints it.
     *
     * @throws CliException if one refuses them or does not say in time
     */
    void await(Map<String, String> settings) {
        await(settings, id -> IN_FORCE);
    }

    /**
     * The same.
     *
     * @param taken what it means for one, by its id, that it took the settings over
     */
    void await(Map<String, String> settings, UnaryOperator<String> taken) {
        String fingerprint = Fingerprint.of(settings);
        long deadline = System.nanoTime() + BOUND.toNanos();
        SortedMap<String, Verdict> verdicts = verdicts(fingerprint);
        while (verdicts.containsValue(Verdict.NONE_YET) && System.nanoTime() - deadline < 0) {
            pause();
            verdicts = verdicts(fingerprint);
        }
        report(verdicts, taken);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.FAILED, "interrupted; the change is written", e);
        }
    }

    private record Verdict(boolean inForce, String refused) {
        static final Verdict NONE_YET = new Verdict(false, "");

        static Verdict of(@Nullable JsonNode state, String fingerprint) {
            if (state == null) {
                return NONE_YET;
            }
            if (state.at("/refused/settings").asText().equals(fingerprint)) {
                return new Verdict(false, reasons(state.at("/refused/mistakes")));
            }
            return state.path("settings").asText().equals(fingerprint) ? new Verdict(true, "") : NONE_YET;
        }
    }

    /** One line of what is wrong with settings. */
    static String reasons(JsonNode mistakes) {
        List<String> reasons = new ArrayList<>();
        mistakes.forEach(mistake -> reasons.add(
                mistake.path("key").asText() + ": " + mistake.path("text").asText()));
        return String.join("; ", reasons);
    }

    private SortedMap<String, Verdict> verdicts(String fingerprint) {
        SortedMap<String, Verdict> verdicts = new TreeMap<>();
        states.get().forEach((id, state) -> verdicts.put(id, Verdict.of(state, fingerprint)));
        return verdicts;
    }

    private void report(SortedMap<String, Verdict> verdicts, UnaryOperator<String> taken) {
        if (verdicts.isEmpty()) {
            System.out.println("written; none runs that could say what comes of it");
        }
        List<String> refused = new ArrayList<>();
        verdicts.forEach((id, verdict) -> {
            if (verdict.inForce) {
                System.out.println(id + ": " + taken.apply(id));
            } else if (verdict.refused.isEmpty()) {
                refused.add(
                        id + " has not said within " + BOUND.toSeconds() + " s what came of it: see '" + look + "'");
            } else {
                refused.add(id + " refuses it and goes on as before: " + verdict.refused);
            }
        });
        if (!refused.isEmpty()) {
            throw new CliException(ExitCode.REFUSED, String.join("; ", refused));
        }
    }
}
