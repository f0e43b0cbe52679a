// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/** How a request that was sent to a backend ended. */
public enum Outcome {
    /** The backend answered in full, and not with a server error. */
    ANSWERED,
    /** The backend answered in full with a server error (5xx): how quickly it did says nothing good of it. */
    ERRORED,
    /** The backend could not be reached, died, timed out or broke the protocol. */
    FAILED,
    /** The client went away, or the request never left: says nothing about the backend. */
    ABANDONED
}
