// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.config.Configuration.Setting;
import io.albm.core.json.Json;
import io.albm.core.node.Role;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code albm config ROLE}: the effective configuration, each value with where it came from. */
public final class ConfigCommand {
    private static final String JSON = "--json";

    private ConfigCommand() {}

    /** The sub-command of a role's fat JAR. */
    public static CommandSpec of(Role role, ConfigSchema schema) {
        CommandSpec spec = SchemaCommand.of(
                "config",
                role,
                schema,
                "Show the configuration that 'albm run " + role.id()
                        + "' would use with the same options, environment and"
                        + " file: each value with where it came from.",
                ConfigCommand::show);
        spec.addOption(OptionSpec.builder(JSON)
                .type(boolean.class)
                .description("Print one JSON object instead of a table.")
                .build());
        return spec;
    }

    private static int show(Configuration configuration, ParseResult parsed) {
        boolean json = parsed.matchedOptionValue(JSON, false);
        parsed.commandSpec().commandLine().getOut().print(json ? json(configuration) : table(configuration));
        parsed.commandSpec().commandLine().getOut().flush();
        return ExitCode.DONE;
    }

    private static String table(Configuration configuration) {
        Table table = Table.of("KEY", "VALUE", "FROM");
        for (Setting setting : configuration.settings()) {
            table.row(setting.key(), setting.value().isEmpty() ? "-" : setting.value(), setting.origin());
        }
        return table.render(Ansi.stdout());
    }

    private static String json(Configuration configuration) {
        ObjectNode all = Json.object();
        for (Setting setting : configuration.settings()) {
            all.putObject(setting.key().name()).put("value", setting.value()).put("origin", setting.origin());
        }
        return Json.pretty(all) + "\n";
    }
}
