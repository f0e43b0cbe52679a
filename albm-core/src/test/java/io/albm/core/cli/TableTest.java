// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Ansi PLAIN = Ansi.of(Map.of(), false);
    private static final Ansi COLOUR = Ansi.of(Map.of(), true);

    @Test
    void alignsColumns() {
        String text = Table.of("ID", "COUNT", "NOTE")
                .right(1)
                .row("a", 7, "")
                .row("cache-1", 12345, "x")
                .render(PLAIN);
        assertThat(text).isEqualTo("ID       COUNT  NOTE\na            7\ncache-1  12345  x\n");
    }

    @Test
    void colourTakesNoWidth() {
        String text = Table.of("A", "B").row(COLOUR.red("x"), "y").render(PLAIN);
        assertThat(Ansi.plain(text)).isEqualTo("A  B\nx  y\n");
    }

    @Test
    void tellsTheTerminalNothingButStyles() {
        String text = Table.of("A", "B")
                .row("\u001b]0;title\u0007\u001b[2J", COLOUR.red("x") + "\n\u009b1A")
                .render(PLAIN);
        assertThat(text).isEqualTo("A               B\n?]0;title??[2J  " + COLOUR.red("x") + "??1A\n");
    }

    @Test
    void refusesARowOfAnotherLength() {
        assertThatIllegalArgumentException().isThrownBy(() -> Table.of("A", "B").row("x"));
    }

    @Test
    void colourIsOnlyForATerminalThatWantsIt() {
        assertThat(COLOUR.green("ok")).isEqualTo("\u001b[32mok\u001b[0m");
        assertThat(PLAIN.green("ok")).isEqualTo("ok");
        assertThat(Ansi.of(Map.of("NO_COLOR", "1"), true).green("ok")).isEqualTo("ok");
        assertThat(Ansi.of(Map.of("TERM", "dumb"), true).green("ok")).isEqualTo("ok");
    }
}
