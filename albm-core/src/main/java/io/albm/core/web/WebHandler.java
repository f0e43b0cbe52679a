// SPDX-License-Identifier: Apache-2.0
package io.albm.core.web;

/** Answers the requests of one path. */
@FunctionalInterface
public interface WebHandler {

    /** What it throws reaches the client as status 500 and the log in full. */
    WebResponse handle(WebRequest request) throws Exception;
}
