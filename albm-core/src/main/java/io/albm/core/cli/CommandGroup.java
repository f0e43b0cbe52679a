// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command which only holds others, each made when it is needed: reading a command's annotations takes a JVM that has just started
 * some ten milliseconds, and most of them are not called. For one thread.
 */
public final class CommandGroup {
    private final String name;
    private final String summary;
    private final Map<String, Function<String[], CommandSpec>> commands = new LinkedHashMap<>();

    private CommandGroup(String name, String summary) {
        this.name = name;
        this.summary = summary;
    }

    /** One that has no commands yet. */
    public static CommandGroup of(String name, String summary) {
        return new CommandGroup(name, summary);
    }

    /**
     * With a command more.
     *
     * @param command makes a {@link CommandSpec}, or an object with picocli's annotations
     */
    public CommandGroup with(String called, Supplier<?> command) {
        commands.put(called, _ -> spec(command.get()));
        return this;
    }

    /** With a group of commands more. */
    public CommandGroup with(CommandGroup group) {
        commands.put(group.name, group::spec);
        return this;
    }

    private static CommandSpec spec(Object command) {
        return command instanceof CommandSpec spec ? spec : CommandSpec.forAnnotatedObject(command);
    }

    /** Whether it has a command of this name. */
    public boolean has(String called) {
        return commands.containsKey(called);
    }

    /**
     * The group for a command line: with the command that is called, or with all if none of them is, which is when they are listed
     * or the nearest name is told.
     *
     * @param line what follows the group's name
     */
    public CommandSpec spec(String... line) {
        CommandSpec group = Commands.group(name, summary);
        boolean isCalled = line.length > 0 && has(line[0]);
        String[] rest = isCalled ? Arrays.copyOfRange(line, 1, line.length) : new String[0];
        commands.forEach((called, command) -> {
            if (!isCalled || called.equals(line[0])) {
                group.addSubcommand(called, command.apply(rest));
            }
        });
        return group;
    }
}
