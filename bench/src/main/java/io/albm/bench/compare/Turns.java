// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets the contenders of a scenario take turns, A B C A B C, so that whatever else happens on the machine hits all alike.
 * A run in which an answer was wrong does not count and is made again, a few times.
 */
public final class Turns {
    private static final int ATTEMPTS = 3;
    private static final Duration PEER_WARM_UP = Duration.ofSeconds(1);

    private final Wrk wrk;
    private final Pace pace;
    private final Consumer<String> progress;

    /** All scenarios at that pace; says how it goes. */
    public Turns(Wrk wrk, Pace pace, Consumer<String> progress) {
        this.wrk = wrk;
        this.pace = pace;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param contenders ours first; it runs in a JVM, which must be warm
     * @return the runs of each, by name
     * @throws CliException if one of them gives no right answers
     */
    public Map<String, List<Run>> of(Scenario scenario, List<Contender> contenders)
            throws IOException, InterruptedException {
        warmUp(scenario, contenders);
        Map<String, List<Run>> runs = new LinkedHashMap<>();
        for (int round = 1; round <= pace.rounds(); round++) {
            for (Contender contender : contenders) {
                Run run = counting(scenario, contender);
                runs.computeIfAbsent(contender.name(), _ -> new ArrayList<>()).add(run);
                progress.accept(String.format(
                        Locale.ROOT,
                        "%s %d/%d %s: %.2f us of CPU per request, %.0f requests/s",
                        scenario.target(),
                        round,
                        pace.rounds(),
                        contender.name(),
                        run.cpuMicrosPerRequest(),
                        run.requestsPerSecond()));
            }
        }
        return runs;
    }

    private void warmUp(Scenario scenario, List<Contender> contenders) throws IOException {
        Duration took = new WarmUp().run(WarmUp.of(wrk, scenario, contenders.getFirst()), pace.longestWarmUp());
        boolean bounded = took.compareTo(pace.longestWarmUp()) >= 0;
        progress.accept("%s: warmed up for %d s%s"
                .formatted(scenario.target(), took.toSeconds(), bounded ? ", and is not steady yet" : ""));
        for (Contender peer : contenders.subList(1, contenders.size())) {
            wrk.run(scenario, peer, PEER_WARM_UP);
        }
    }

    private Run counting(Scenario scenario, Contender contender) throws IOException, InterruptedException {
        String wrong = "";
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Duration before = contender.process().cpuTime();
            Observed observed = observe(scenario, contender);
            Duration used = contender.process().cpuTime().minus(before);
            if (observed.wrong() == null) {
                return new Run(observed.seen().requests(), observed.seen().micros() / 1e6, used.toNanos() / 1e9);
            }
            wrong = observed.wrong();
            progress.accept("%s %s: does not count, %s".formatted(scenario.target(), contender.name(), wrong));
        }
        throw new CliException(
                ExitCode.FAILED, "%s gave wrong answers in %d runs: %s".formatted(contender.name(), ATTEMPTS, wrong));
    }

    private record Observed(Wrk.Seen seen, @Nullable String wrong) {}

    private Observed observe(Scenario scenario, Contender contender) throws IOException, InterruptedException {
        try (Samples samples = Samples.of(scenario, contender)) {
            Wrk.Seen seen = wrk.run(scenario, contender, pace.run());
            return new Observed(seen, wrong(seen, samples));
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS here", e);
        }
    }

    private static @Nullable String wrong(Wrk.Seen seen, Samples samples) {
        if (seen.errors() > 0) {
            return seen.errors() + " of " + seen.requests() + " requests failed or were not answered 2xx";
        }
        if (samples.wrong() != null) {
            return samples.wrong();
        }
        return seen.requests() == 0 || samples.compared() == 0 ? "no request was answered" : null;
    }
}
