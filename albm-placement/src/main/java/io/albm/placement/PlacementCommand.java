// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.placement.interference.InterferenceCommand;
import picocli.CommandLine.Command;

/** {@code albm placement}. */
@Command(
        name = "placement",
        description = "Where containers run, what they do to each other's memory, and where they should go.",
        subcommands = {NodesCommand.class, ContainersCommand.class, PlanCommand.class, InterferenceCommand.class})
final class PlacementCommand {}
