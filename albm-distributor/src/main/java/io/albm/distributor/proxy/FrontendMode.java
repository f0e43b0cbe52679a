// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

/** What a frontend speaks with its clients. */
public enum FrontendMode {
    /** HTTP: each request goes its own way. */
    HTTP,
    /** Anything over TCP: each connection goes to one backend. */
    TCP
}
