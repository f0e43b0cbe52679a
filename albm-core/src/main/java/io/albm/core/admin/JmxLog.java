// SPDX-License-Identifier: Apache-2.0
package io.albm.core.admin;

import org.jolokia.core.api.LogHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jolokia's log, in ours. */
final class JmxLog implements LogHandler {

    private static final Logger log = LoggerFactory.getLogger(JmxRoute.class);

    @Override
    public void debug(String message) {
        log.trace(message);
    }

    @Override
    public void info(String message) {
        log.debug(message);
    }

    @Override
    public void error(String message, @Nullable Throwable cause) {
        log.warn(message, cause);
    }

    @Override
    public boolean isDebug() {
        return false;
    }
}
