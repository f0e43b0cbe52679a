// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

/** In place of a frame that a {@link FrameGate} did not take. */
record RefusedFrame(long requestId, WireException reason) {}
