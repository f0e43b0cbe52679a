// SPDX-License-Identifier: Apache-2.0
package io.albm.core.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Sends log lines to stderr; stdout belongs to a command's result and to the READY line. In code because reading
 * {@code logback.xml} costs each of a cluster's processes about 100 ms of CPU at its start; whoever wants an XML file
 * names it with {@code -Dlogback.configurationFile}.
 */
public final class AlbmLogbackConfigurator extends ContextAwareBase implements Configurator {
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{24} %msg%replace( %kvp){'^ $', ''}%n";

    @Override
    public ExecutionStatus configure(LoggerContext loggers) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        // They log each attempt to reconnect; ALBM's own classes log the change of state.
        loggers.getLogger("org.apache.zookeeper").setLevel(Level.ERROR);
        loggers.getLogger("org.apache.curator").setLevel(Level.ERROR);
        loggers.getLogger("io.netty").setLevel(Level.WARN);
        loggers.getLogger("org.jolokia").setLevel(Level.WARN);
        Logger root = loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(System.getProperty(Logging.LEVEL), Level.INFO));
        root.addAppender(stderr(loggers));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static ConsoleAppender<ILoggingEvent> stderr(LoggerContext loggers) {
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(loggers);
        appender.setName("stderr");
        appender.setTarget("System.err");
        boolean json = System.getProperty(Logging.FORMAT, "console").equals("json");
        appender.setEncoder(json ? json(loggers) : lines(loggers));
        appender.start();
        return appender;
    }

    private static Encoder<ILoggingEvent> json(LoggerContext loggers) {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(loggers);
        encoder.setWithFormattedMessage(true);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithContext(false);
        encoder.setWithSequenceNumber(false);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> lines(LoggerContext loggers) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(loggers);
        encoder.setPattern(PATTERN);
        encoder.start();
        return encoder;
    }
}
