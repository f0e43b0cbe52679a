// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.control.ControlFrames;
import io.albm.checkpoint.job.CopyLink;
import io.albm.checkpoint.job.CopyRange;
import io.albm.core.node.NodeAddress;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameClient;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** Reads copies of one job from other job-hosts; each has five seconds to answer. */
record WireCopies(FrameClient client, String job) implements CopyLink {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    @Override
    public byte[] read(NodeAddress from, CopyRange range) throws IOException {
        Frame answer = call(from, range);
        try {
            if (answer.body().readableBytes() > range.length()) {
                throw new IOException(from + " sent " + answer.body().readableBytes() + " bytes, expected "
                        + range.length() + " at most");
            }
            return ByteBufUtil.getBytes(answer.body());
        } finally {
            answer.release();
        }
    }

    private Frame call(NodeAddress from, CopyRange range) throws IOException {
        try {
            return client.call(
                            from,
                            ControlFrames.COPY_READ,
                            ControlFrames.header(job),
                            ControlFrames.body(range),
                            LONGEST)
                    .join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(from + ": " + cause.getMessage(), e);
        }
    }
}
