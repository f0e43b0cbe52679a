// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Gives the help of every command the sections of a man page. A command's footer holds its examples. */
final class ManPage {
    private static final int WIDTH = 100;

    private ManPage() {}

    static void apply(CommandLine line) {
        line.setUsageHelpWidth(WIDTH);
        format(line.getCommandSpec());
        line.getSubcommands().values().forEach(ManPage::apply);
    }

    private static void format(CommandSpec spec) {
        UsageMessageSpec usage = spec.usageMessage();
        usage.synopsisHeading("SYNOPSIS%n  ");
        usage.synopsisSubcommandLabel("COMMAND");
        usage.descriptionHeading("%nDESCRIPTION%n");
        usage.parameterListHeading("%nARGUMENTS%n");
        usage.optionListHeading("%nOPTIONS%n");
        usage.commandListHeading("%nCOMMANDS%n");
        usage.sortOptions(false);
        usage.exitCodeListHeading("%nEXIT STATUS%n");
        if (usage.exitCodeList().isEmpty()) {
            usage.exitCodeList(ExitCode.help());
        }
        if (usage.footer().length > 0) {
            usage.footerHeading("%nEXAMPLES%n");
        }
    }
}
