// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of the parser once more, over text and with regular expressions: slow and easy to see through. */
final class ReferenceParser {
    /** Neither good nor bad yet. */
    static final String INCOMPLETE = "incomplete";

    /** Against a rule; which one is not compared. */
    static final String REFUSED = "refused";

    private static final String TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]++";
    private static final String VALUE = "[\\t\\x20-\\x7e\\x80-\\xff]*+";
    private static final String LINES = "((?:" + TOKEN + ":" + VALUE + "\\r\\n)*+)\\r\\n";
    private static final Pattern REQUEST =
            Pattern.compile("(?:\\r\\n)*+(" + TOKEN + ") ([\\x21-\\x7e]++) ([\\x21-\\x7e]*+)\\r\\n" + LINES);
    private static final Pattern RESPONSE =
            Pattern.compile("(HTTP/1\\.[01]) ([1-9][0-9][0-9])((?: " + VALUE + ")?+)\\r\\n" + LINES);
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._~!$&'()*+;=%-]+)(:[0-9]{0,5})?");
    private static final Pattern ABSOLUTE = Pattern.compile("(?i:https?://)([^/?]*)([/?].*)?");

    private record Line(String name, String value) {}

    private ReferenceParser() {}

    /** What a request's head comes to: one of the constants, or all that was understood. */
    static String request(String bytes) {
        Matcher matcher = REQUEST.matcher(bytes);
        if (!matcher.lookingAt()) {
            return mayStillMatch(matcher) ? INCOMPLETE : REFUSED;
        }
        List<Line> lines = lines(matcher.group(4));
        return requestFraming(matcher.group(1), matcher.group(2), matcher.group(3), lines)
                .map(framing ->
                        matcher.group(1) + " " + matcher.group(2) + " " + framing + " " + lines + " " + matcher.end())
                .orElse(REFUSED);
    }

    @SuppressWarnings("JdkObsolete") // whether more bytes could still make it match is just what is asked
    static boolean mayStillMatch(Matcher failed) {
        return failed.hitEnd();
    }

    private static Optional<String> requestFraming(String method, String target, String version, List<Line> lines) {
        boolean http11 = version.equals("HTTP/1.1");
        List<String> hosts = values(lines, "host");
        boolean fine = (http11 || version.equals("HTTP/1.0"))
                && !method.equals("CONNECT")
                && hosts.size() <= 1
                && (!http11 || hosts.size() == 1)
                && hosts.stream().allMatch(host -> HOST.matcher(host).matches())
                && isTarget(method, target)
                && values(lines, "expect").stream().allMatch("100-continue"::equalsIgnoreCase);
        return fine ? framing(lines, http11, "NONE") : Optional.empty();
    }

    private static boolean isTarget(String method, String target) {
        Matcher absolute = ABSOLUTE.matcher(target);
        return !target.contains("#")
                && (target.startsWith("/")
                        || (target.equals("*") && method.equals("OPTIONS"))
                        || (absolute.matches()
                                && HOST.matcher(absolute.group(1)).matches()));
    }

    private static Optional<String> framing(List<Line> lines, boolean http11, String otherwise) {
        List<String> codings = values(lines, "transfer-encoding");
        List<String> lengths = values(lines, "content-length");
        if (codings.isEmpty() && lengths.isEmpty()) {
            return Optional.of(otherwise);
        }
        if (codings.isEmpty()) {
            return lengths.size() == 1 && lengths.getFirst().matches("[0-9]{1,18}")
                    ? Optional.of(Long.parseLong(lengths.getFirst()) == 0 ? "NONE" : "LENGTH")
                    : Optional.empty();
        }
        return http11
                        && lengths.isEmpty()
                        && codings.size() == 1
                        && codings.getFirst().equalsIgnoreCase("chunked")
                ? Optional.of("CHUNKED")
                : Optional.empty();
    }

    /** What the head of a response to a GET comes to. */
    static String response(String bytes) {
        Matcher matcher = RESPONSE.matcher(bytes);
        if (!matcher.lookingAt()) {
            return mayStillMatch(matcher) ? INCOMPLETE : REFUSED;
        }
        int status = Integer.parseInt(matcher.group(2));
        List<Line> lines = lines(matcher.group(4));
        boolean bodiless = status < 200 || status == 204 || status == 304;
        return framing(lines, matcher.group(1).equals("HTTP/1.1"), "UNTIL_CLOSE")
                .map(framing -> status + " " + (bodiless ? "NONE" : framing) + " " + lines + " " + matcher.end())
                .orElse(REFUSED);
    }

    private static List<Line> lines(String block) {
        List<Line> lines = new ArrayList<>();
        for (String line : block.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                lines.add(new Line(line.substring(0, colon), trimmed(line.substring(colon + 1))));
            }
        }
        return lines;
    }

    private static String trimmed(String value) {
        int from = 0;
        int end = value.length();
        while (from < end && " \t".indexOf(value.charAt(from)) >= 0) {
            from++;
        }
        while (end > from && " \t".indexOf(value.charAt(end - 1)) >= 0) {
            end--;
        }
        return value.substring(from, end);
    }

    private static List<String> values(List<Line> lines, String name) {
        return lines.stream()
                .filter(line -> line.name().toLowerCase(Locale.ROOT).equals(name))
                .map(Line::value)
                .toList();
    }

    /** What the real parser understood, in the words of this one. */
    static String lines(Head head) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < head.count(); i++) {
            lines.add(new Line(
                    head.text(head.nameStart(i), head.nameEnd(i)), head.text(head.valueStart(i), head.valueEnd(i))));
        }
        return lines.toString();
    }
}
