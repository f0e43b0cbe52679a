// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGTERM and SIGINT: the first asks the process to end, the second ends it at once, with the status a shell expects.
 *
 * <p>A shutdown hook cannot do that: the JVM runs hooks on the first signal, but a second one then waits behind the same
 * lock until the hooks are done. So the signals are taken over through {@code sun.misc.Signal}, the only interface the
 * JDK has for it and exports for this use; by reflection, because javac warns about the name in a way that cannot be
 * suppressed.
 */
final class Signals {

    private static final Logger log = LoggerFactory.getLogger(Signals.class);
    private static final int EXIT_BY_SIGNAL = 128;

    /** A signal that asks a process to end. */
    private enum Ending {
        TERM(15),
        INT(2);

        private final int number;

        Ending(int number) {
            this.number = number;
        }
    }

    private final CompletableFuture<String> first = new CompletableFuture<>();

    private Signals() {}

    /** Takes the signals over for the rest of this process's life. */
    static Signals takeOver() {
        var signals = new Signals();
        for (var ending : Ending.values()) {
            onSignal(ending.name(), () -> signals.received(ending));
        }
        return signals;
    }

    /** Completes with the name of the first signal. */
    CompletableFuture<String> first() {
        return first;
    }

    private void received(Ending signal) {
        if (!first.complete("SIG" + signal)) {
            log.warn("SIG{} again: ends at once, requests in flight are lost", signal);
            Runtime.getRuntime().halt(EXIT_BY_SIGNAL + signal.number);
        }
    }

    private static void onSignal(String name, Runnable action) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var adapter = Proxy.newProxyInstance(
                    handler.getClassLoader(),
                    new Class<?>[] {handler},
                    (self, method, arguments) -> switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(self);
                        case "equals" -> System.identityHashCode(self) == System.identityHashCode(arguments[0]);
                        case "toString" -> "handler of SIG" + name;
                        default -> {
                            action.run();
                            yield null;
                        }
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), adapter);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM does not let SIG" + name + " be handled", e);
        }
    }
}
