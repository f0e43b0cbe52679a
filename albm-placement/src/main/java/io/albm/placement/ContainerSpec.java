// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.config.ConfigException;
import io.albm.core.config.Key;
import io.albm.placement.policy.Container;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Containers to plan, as people write them: {@code NAME[*COUNT]=RESERVED[:WORKING_SET[:PRESSURE]]}, such as
 * {@code web*3=512MiB} or {@code db=2GiB:3GiB:0.1}.
 */
final class ContainerSpec {
    private static final Pattern FORM = Pattern.compile("([^=*]+)(?:\\*(\\d{1,4}))?=([^:]+)(?::([^:]+))?(?::([^:]+))?");
    private static final Key<Long> SIZE = Key.size("memory", 0, 0, 1L << 50, "Memory of a container.");
    private static final Key<Double> PRESSURE =
            Key.decimal("pressure", 0, 0, 1, "Share of time that a container waits for memory.");

    private ContainerSpec() {}

    /**
     * The containers that {@code text} stands for.
     *
     * @throws ConfigException if it has another form
     */
    static List<Container> parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new ConfigException("container '" + text
                    + "': expected NAME[*COUNT]=RESERVED[:WORKING_SET[:PRESSURE]], such as web*3=512MiB");
        }
        String name = matcher.group(1).strip();
        int count = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
        String origin = "container '" + text + "'";
        long reserved = SIZE.parse(matcher.group(3), origin);
        long workingSet = matcher.group(4) == null ? reserved : SIZE.parse(matcher.group(4), origin);
        double pressure = matcher.group(5) == null ? 0 : PRESSURE.parse(matcher.group(5), origin);
        List<Container> containers = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            containers.add(new Container(count == 1 ? name : name + "-" + i, reserved, workingSet, pressure));
        }
        return containers;
    }
}
