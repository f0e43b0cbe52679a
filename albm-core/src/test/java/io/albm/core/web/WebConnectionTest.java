// SPDX-License-Identifier: Apache-2.0
package io.albm.core.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebConnectionTest {
    private final Deque<Runnable> work = new ArrayDeque<>();
    private final EmbeddedChannel connection = new EmbeddedChannel(new WebConnection(
            path -> new Route.Blocking(request -> WebResponse.text(200, "done")), Map.of(), work::add));

    @Test
    void isIdleOnlyBetweenRequests() {
        connection.writeInbound(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/slow"));
        idle();
        assertThat(connection.isOpen()).as("a request is worked on").isTrue();

        work.remove().run();
        connection.runPendingTasks();
        FullHttpResponse response = connection.readOutbound();
        assertThat(response.status().code()).isEqualTo(200);
        response.release();
        idle();
        assertThat(connection.isOpen()).as("nobody asks").isFalse();
    }

    private void idle() {
        connection.pipeline().fireUserEventTriggered(IdleStateEvent.ALL_IDLE_STATE_EVENT);
    }
}
