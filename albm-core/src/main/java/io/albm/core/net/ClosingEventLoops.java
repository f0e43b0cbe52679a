// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Event loops that leave no channel open when they end.
 *
 * <p>Netty 4.2.18 looks whether a loop is to end before it runs that round's tasks, and then closes all channels; and it
 * looks again behind the tasks, and then leaves. A loop that is told in between leaves at once: its sockets stay open as
 * long as the process, and what their handlers hold is lost. Here the channels are closed once more after the last round;
 * the tasks which that begets are run before the loop takes none any more.
 */
final class ClosingEventLoops extends MultiThreadIoEventLoopGroup {
    ClosingEventLoops(int threads, ThreadFactory names, IoHandlerFactory factory) {
        super(threads, names, factory);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory factory, Object... none) {
        return new Loop(this, executor, factory);
    }

    private static final class Loop extends SingleThreadIoEventLoop {
        Loop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory factory) {
            super(parent, executor, factory);
        }

        @Override
        protected void run() {
            super.run();
            if (isShuttingDown()) {
                ioHandler().prepareToDestroy();
            }
        }
    }
}
