// SPDX-License-Identifier: Apache-2.0
package io.albm.core.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import org.slf4j.LoggerFactory;

/** Chooses how log lines look; {@link AlbmLogbackConfigurator} does the rest. */
public final class Logging {
    static final String FORMAT = "albm.log.format";
    static final String LEVEL = "albm.log.level";

    private Logging() {}

    /**
     * Sets the form of all further log lines of this process.
     *
     * @param format {@code console} or {@code json}
     */
    public static void format(String format) {
        System.setProperty(FORMAT, format);
        reload();
    }

    /** For a terminal command, whose result is not its log: only what is wrong. */
    public static void quiet() {
        if (!"ERROR".equals(System.setProperty(LEVEL, "ERROR"))) {
            reload();
        }
    }

    private static void reload() {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return;
        }
        context.reset();
        try {
            new ContextInitializer(context).autoConfig();
        } catch (JoranException e) {
            throw new IllegalStateException("logging cannot be configured", e);
        }
    }
}
