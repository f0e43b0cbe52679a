// SPDX-License-Identifier: Apache-2.0
package io.albm.core.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Swaps the process's stderr, hence alone. */
@Isolated
class LoggingTest {
    private static final Logger LOG = LoggerFactory.getLogger(LoggingTest.class);

    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();
    private final PrintStream stderr = System.err;

    @BeforeEach
    void capture() {
        System.setErr(new PrintStream(captured, true, UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(stderr);
        System.clearProperty("albm.log.level");
        Logging.format("console");
    }

    @Test
    void writesALineForPeople() {
        Logging.format("console");
        LOG.atInfo().addKeyValue("port", 8080).log("listening");
        LOG.debug("detail");
        assertThat(captured.toString(UTF_8))
                .contains("INFO", "listening port=\"8080\"")
                .hasLineCount(1);
    }

    @Test
    void writesOneJsonObjectForALine() {
        Logging.format("json");
        LOG.info("listening on {}", 8080);
        assertThat(captured.toString(UTF_8)).hasLineCount(1);
        assertThat(Json.tree(captured.toString(UTF_8)).get("formattedMessage").asText())
                .isEqualTo("listening on 8080");
    }

    @Test
    void quietKeepsOnlyErrors() {
        Logging.quiet();
        LOG.info("progress");
        LOG.error("broken");
        assertThat(captured.toString(UTF_8)).contains("broken").doesNotContain("progress");
    }
}
