// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.load.Answers;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Lets all variants take turns at each number of clients, so that the machine's moods hit all alike. Every run begins with
 * healthy servers: nothing held, documents in memory, and reported so.
 */
final class MemoryExperiment {
    private final Fleet fleet;
    private final List<Variant> variants;
    private final Plan plan;
    private final Consumer<String> progress;
    private final List<Cell> cells = new ArrayList<>();

    MemoryExperiment(Fleet fleet, List<Variant> variants, Plan plan, Consumer<String> progress) {
        this.fleet = fleet;
        this.variants = List.copyOf(variants);
        this.plan = plan;
        this.progress = progress;
    }

    /** Measures; once. */
    Measured run() throws IOException, InterruptedException {
        for (Variant variant : variants) {
            Clients.warmUp(variant.select(), plan.warmUp());
        }
        for (int clients : plan.clients()) {
            int rounds = clients == plan.highestLoad() ? plan.rounds() : 1;
            for (int round = 1; round <= rounds; round++) {
                for (Variant variant : variants) {
                    cells.add(cell(variant, clients, round));
                }
            }
        }
        return new Measured(
                cells,
                variants.stream().filter(Variant::rival).map(Variant::name).collect(Collectors.toSet()));
    }

    private Cell cell(Variant variant, int clients, int round) throws IOException, InterruptedException {
        fleet.warm();
        fleet.awaitReports();
        NodeAddress proxy = variant.select();
        long readBefore = fleet.pageReads();
        Answers answers = Clients.load(proxy, clients, round, plan.at(clients));
        Cell cell = Cell.of(variant.name(), clients, round, answers);
        progress.accept(String.format(
                Locale.ROOT,
                "%2d clients, round %d, %-28s %6.1f good/s, p99 %5d ms, %3d late, %3d failed, %6d page reads %s",
                clients,
                round,
                variant.name(),
                cell.goodput(),
                cell.p99Millis(),
                cell.late(),
                cell.failed(),
                fleet.pageReads() - readBefore,
                answers.failures() == 0 ? "" : answers.failuresByReason()));
        if (fleet.killed() > 0) {
            throw new CliException(ExitCode.FAILED, "the kernel killed a server for memory: the result would be wrong");
        }
        return cell;
    }
}
