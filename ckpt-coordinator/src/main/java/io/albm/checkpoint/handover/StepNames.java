// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of handed-over states: a text in which one {@code *} stands for the step, in up to 18 decimal digits. */
public record StepNames(String pattern) {
    /** The name is the step. */
    public static final StepNames STEP = new StepNames("*");

    /** @throws IllegalArgumentException if there is not exactly one star, or the name would be in another directory */
    public StepNames {
        if (pattern.chars().filter(c -> c == '*').count() != 1 || pattern.indexOf('/') >= 0) {
            throw new IllegalArgumentException("'" + pattern
                    + "' is no pattern of names: expected one * where the step is, and" + " no /, such as restart.*");
        }
    }

    /** The step of a name; empty if it is another name. */
    OptionalLong step(String name) {
        int star = pattern.indexOf('*');
        Matcher matcher = Pattern.compile(Pattern.quote(pattern.substring(0, star)) + "([0-9]{1,18})"
                        + Pattern.quote(pattern.substring(star + 1)))
                .matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }
}
