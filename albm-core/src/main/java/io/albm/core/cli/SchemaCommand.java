// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.config.Sources;
import io.albm.core.node.Role;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** A command of a role: its options are the keys of the role's schema, and {@code --config FILE}. */
public final class SchemaCommand {
    private static final String CONFIG = "--config";

    private SchemaCommand() {}

    /** What the command does with the effective configuration. */
    @FunctionalInterface
    public interface Action {
        /** Returns the exit code. */
        int run(Configuration configuration, ParseResult parsed) throws Exception;
    }

    /**
     * Makes the command {@code albm NAME ROLE}.
     *
     * @param summary the description in its help
     */
    public static CommandSpec of(String name, Role role, ConfigSchema schema, String summary, Action action) {
        Runner runner = new Runner(schema, action);
        CommandSpec spec = Commands.command(name, summary, runner::call);
        runner.spec = spec;
        spec.usageMessage().customSynopsis("albm " + name + " " + role.id() + " [--config FILE] [--KEY VALUE]…");
        spec.usageMessage()
                .footer(
                        "  albm " + name + " " + role.id() + " --config /etc/albm/" + role.id() + ".conf",
                        "  ALBM_ZOOKEEPER=rack-1:2181 albm " + name + " " + role.id());
        spec.addOption(OptionSpec.builder(CONFIG)
                .paramLabel("FILE")
                .type(Path.class)
                .description("Read values from this file (HOCON, JSON or properties).")
                .build());
        addGroup(spec, "%nOPTIONS OF THIS ROLE%n", schema, false);
        addGroup(spec, "%nOPTIONS OF EVERY ROLE%n", schema, true);
        return spec;
    }

    /** A role may have no keys of its own, and picocli refuses a group of nothing. */
    private static void addGroup(CommandSpec spec, String heading, ConfigSchema schema, boolean common) {
        List<OptionSpec> options = schema.keys().stream()
                .filter(key -> CommonKeys.isCommon(key) == common)
                .map(SchemaCommand::option)
                .toList();
        if (options.isEmpty()) {
            return;
        }
        ArgGroupSpec.Builder group = ArgGroupSpec.builder()
                .heading(heading)
                .exclusive(false)
                .validate(false)
                .multiplicity("0..1");
        options.forEach(group::addArg);
        spec.addArgGroup(group.build());
    }

    private static OptionSpec option(Key<?> key) {
        OptionSpec.Builder option = OptionSpec.builder("--" + key.name())
                .type(String.class)
                .description(
                        escape(key.doc()), escape("  " + key.expected() + "; default " + shown(key.defaultText())));
        return key.isFlag()
                ? option.arity("0..1")
                        .fallbackValue("true")
                        .paramLabel("true|false")
                        .build()
                : option.arity("1").paramLabel(key.label()).build();
    }

    private static String shown(String defaultText) {
        return defaultText.isEmpty() ? "none" : defaultText;
    }

    private static String escape(String text) {
        return text.replace("%", "%%");
    }

    private static final class Runner {
        private final ConfigSchema schema;
        private final Action action;
        private CommandSpec spec = CommandSpec.create();

        Runner(ConfigSchema schema, Action action) {
            this.schema = schema;
            this.action = action;
        }

        int call() throws Exception {
            ParseResult parsed = spec.commandLine().getParseResult();
            return action.run(Configuration.load(schema, sources(parsed)), parsed);
        }

        private Sources sources(ParseResult parsed) {
            Map<String, String> commandLine = new HashMap<>();
            for (Key<?> key : schema.keys()) {
                String value = parsed.matchedOptionValue("--" + key.name(), (String) null);
                if (value != null) {
                    commandLine.put(key.name(), value);
                }
            }
            Path file = parsed.matchedOptionValue(CONFIG, (Path) null);
            return new Sources(commandLine, System.getenv(), Optional.ofNullable(file));
        }
    }
}
