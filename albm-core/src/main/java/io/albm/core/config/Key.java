// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One setting: a name, what its text must look like, a default and one sentence. Values travel as text, whatever their
 * source, and each key reads its own; so {@code --queue 64}, {@code ALBM_QUEUE=64} and {@code queue = 64} mean the same.
 *
 * <p>Immutable.
 *
 * @param <T> what the text is read as
 */
public final class Key<T> {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

    private final String name;
    private final String label;
    private final String expected;
    private final String defaultText;
    private final String doc;
    private final Function<String, T> reader;

    private Key(
            String name, String label, String expected, String defaultText, String doc, Function<String, T> reader) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("key name '" + name + "': expected lower-case words joined by '-'");
        }
        this.name = name;
        this.label = label;
        this.expected = expected;
        this.defaultText = defaultText;
        this.doc = doc;
        this.reader = reader;
        parse(defaultText, "built-in");
    }

    /** A whole number from {@code min} to {@code max}. */
    public static Key<Integer> integer(String name, int defaultValue, int min, int max, String doc) {
        return new Key<>(
                name,
                "N",
                "a whole number from " + min + " to " + max,
                Integer.toString(defaultValue),
                doc,
                text -> between(Integer.parseInt(text.strip()), min, max));
    }

    /** A decimal number from {@code min} to {@code max}. */
    public static Key<Double> decimal(String name, double defaultValue, double min, double max, String doc) {
        return new Key<>(
                name,
                "X",
                "a number from " + min + " to " + max,
                Double.toString(defaultValue),
                doc,
                text -> between(Double.parseDouble(text.strip()), min, max));
    }

    /** A duration with its unit, from {@code min} to {@code max}. */
    public static Key<Duration> duration(String name, Duration defaultValue, Duration min, Duration max, String doc) {
        return new Key<>(
                name,
                "DURATION",
                "a duration from " + Units.text(min) + " to " + Units.text(max)
                        + " with its unit (ns, us, ms, s, m, h), such as " + Units.text(defaultValue),
                Units.text(defaultValue),
                doc,
                text -> between(Units.parseDuration(text), min, max));
    }

    /** A data size in bytes, from {@code min} to {@code max}. */
    public static Key<Long> size(String name, long defaultBytes, long min, long max, String doc) {
        return new Key<>(
                name,
                "SIZE",
                "a size from " + Units.text(min) + " to " + Units.text(max)
                        + " (B, KiB, MiB, GiB or kB, MB, GB), such as " + Units.text(defaultBytes),
                Units.text(defaultBytes),
                doc,
                text -> between(Units.parseSize(text), min, max));
    }

    /** Any text. */
    public static Key<String> text(String name, String defaultValue, String doc) {
        return new Key<>(name, "TEXT", "text", defaultValue, doc, Function.identity());
    }

    /** A file or directory; a relative one is below the working directory. */
    public static Key<Path> path(String name, String defaultValue, String doc) {
        return new Key<>(name, "PATH", "a path", defaultValue, doc, Key::readPath);
    }

    /** A host and a port. */
    public static Key<NodeAddress> address(String name, String defaultValue, String doc) {
        return new Key<>(name, "HOST:PORT", "host:port, such as 127.0.0.1:8080", defaultValue, doc, NodeAddress::parse);
    }

    /** One or more addresses, with commas between them. */
    public static Key<List<NodeAddress>> addresses(String name, String defaultValue, String doc) {
        return new Key<>(
                name,
                "HOST:PORT,…",
                "host:port, or several with commas between them",
                defaultValue,
                doc,
                Key::readAddresses);
    }

    /** As {@link #addresses}, or none, which is what an empty text says and the built-in value. */
    public static Key<List<NodeAddress>> addressesOrNone(String name, String doc) {
        return new Key<>(
                name,
                "HOST:PORT,…",
                "host:port, several with commas between them, or nothing",
                "",
                doc,
                text -> text.isBlank() ? List.of() : readAddresses(text));
    }

    /** The name of a node. */
    public static Key<NodeId> nodeId(String name, String defaultValue, String doc) {
        return new Key<>(
                name,
                "ID",
                "1 to 63 characters of a-z, 0-9 and '-'",
                defaultValue,
                doc,
                text -> new NodeId(text.strip()));
    }

    /** On or off; off by default. */
    public static Key<Boolean> flag(String name, String doc) {
        return new Key<>(name, "", "true or false", "false", doc, Key::readFlag);
    }

    /** One of several names. */
    public static Key<String> choice(String name, String defaultValue, List<String> choices, String doc) {
        return new Key<>(
                name,
                String.join("|", choices),
                "one of " + String.join(", ", choices),
                defaultValue,
                doc,
                text -> readChoice(text.strip(), choices));
    }

    /**
     * A value of a role's own type.
     *
     * @param label what stands for the value in help
     * @param expected what the text must be, for people
     * @param reader reads the text, or throws {@link IllegalArgumentException} if it is not what is expected
     */
    public static <T> Key<T> of(
            String name, String label, String expected, String defaultText, String doc, Function<String, T> reader) {
        return new Key<>(name, label, expected, defaultText, doc, reader);
    }

    /** Kebab-case name, the same on the command line and in the file. */
    public String name() {
        return name;
    }

    /** The environment variable of this key: {@code admin-port} is {@code ALBM_ADMIN_PORT}. */
    public String environmentName() {
        return "ALBM_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** What stands for the value in help; empty for a flag. */
    public String label() {
        return label;
    }

    /** Whether the key is on or off, so that the command line may leave out the value. */
    public boolean isFlag() {
        return label.isEmpty();
    }

    /** What the value must be, with its range and unit. */
    public String expected() {
        return expected;
    }

    /** The built-in value. */
    public String defaultText() {
        return defaultText;
    }

    /** One sentence. */
    public String doc() {
        return doc;
    }

    /**
     * The same key with another built-in value, for a role that needs one of its own.
     *
     * @throws ConfigException if the key does not accept that value
     */
    public Key<T> withDefault(String otherDefault) {
        return new Key<>(name, label, expected, otherDefault, doc, reader);
    }

    /**
     * Reads a value.
     *
     * @param origin where the text came from, for the error message
     * @throws ConfigException if it is not what the key expects
     */
    public T parse(String text, String origin) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(name + " = '" + text + "' (" + origin + "): expected " + expected, e);
        }
    }

    @Override
    public String toString() {
        return name;
    }

    private static <C extends Comparable<C>> C between(C value, C min, C max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException("out of range");
        }
        return value;
    }

    private static List<NodeAddress> readAddresses(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(part -> NodeAddress.parse(part.strip()))
                .toList();
    }

    private static Path readPath(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("no path", e);
        }
    }

    private static boolean readFlag(String text) {
        return switch (text.strip()) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw new IllegalArgumentException("neither on nor off");
        };
    }

    private static String readChoice(String text, List<String> choices) {
        if (!choices.contains(text)) {
            throw new IllegalArgumentException("no such choice");
        }
        return text;
    }
}
