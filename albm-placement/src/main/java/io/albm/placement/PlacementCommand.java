// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import picocli.CommandLine.Command;

/** {@code albm placement}. */
@Command(
        name = "placement",
        description = "Where containers run, and where they should go.",
        subcommands = {NodesCommand.class, ContainersCommand.class, PlanCommand.class})
final class PlacementCommand {}
