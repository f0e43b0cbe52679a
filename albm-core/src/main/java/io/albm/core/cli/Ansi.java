// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** Colour, where a person looks: only on a terminal, and not if {@code NO_COLOR} is set. Immutable. */
public final class Ansi {
    private static final Pattern ESCAPES = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");
    private static final Pattern STYLES_AND_CONTROLS = Pattern.compile("(\u001b\\[[0-9;]*m)|\\p{Cc}");
    private static final Pattern TERMINAL = Pattern.compile("/dev/(pts/\\d+|tty\\w*|console)");

    private final boolean enabled;

    private Ansi(boolean enabled) {
        this.enabled = enabled;
    }

    /** For what is written to standard output. */
    public static Ansi stdout() {
        return of(System.getenv(), isTerminal(1));
    }

    /** For what is written to standard error. */
    public static Ansi stderr() {
        return of(System.getenv(), isTerminal(2));
    }

    static Ansi of(Map<String, String> environment, boolean terminal) {
        boolean refused = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "").equals("dumb");
        return new Ansi(terminal && !refused);
    }

    /** Asks this process's descriptor itself, because {@code System.console()} wants stdin to be a terminal, too. */
    private static boolean isTerminal(int descriptor) {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
            return TERMINAL.matcher(target.toString()).matches();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a person looks, so that a screen may be redrawn. */
    public boolean enabled() {
        return enabled;
    }

    public String bold(String text) {
        return style("1", text);
    }

    public String dim(String text) {
        return style("2", text);
    }

    public String red(String text) {
        return style("31", text);
    }

    public String green(String text) {
        return style("32", text);
    }

    public String yellow(String text) {
        return style("33", text);
    }

    private String style(String code, String text) {
        return enabled ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    /** The text with nothing in it that tells a terminal more than a style: some of it comes from programs that are not ours. */
    static String harmless(String text) {
        return STYLES_AND_CONTROLS.matcher(text).replaceAll(found -> found.group(1) == null ? "?" : found.group(1));
    }

    /** The text without escape sequences: its length is the width on the screen. */
    static String plain(String text) {
        return ESCAPES.matcher(text).replaceAll("");
    }
}
