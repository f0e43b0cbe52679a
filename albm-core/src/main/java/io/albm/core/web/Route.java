// SPDX-License-Identifier: Apache-2.0
package io.albm.core.web;

/** How one path is answered. */
sealed interface Route {

    Route NOT_FOUND = new Inline(request -> WebResponse.text(404, "nothing is served at " + request.path() + "\n"));

    /** On the event loop. */
    record Inline(WebHandler handler) implements Route {}

    /** On a virtual thread. */
    record Blocking(WebHandler handler) implements Route {}

    /** Server-sent events, until one side has enough. */
    record Events(EventStream stream) implements Route {}
}
