// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

/**
 * How far an exchange had come when its backend failed. What may be done then depends on what was said already:
 *
 * <table>
 *   <caption>After a failure</caption>
 *   <tr><td>no response yet, idempotent, request body not begun</td><td>another backend, from the budget; if the
 *       connection had been used before, the same backend on a new connection: it may have been closing the old one just
 *       then</td></tr>
 *   <tr><td>no response yet, otherwise</td><td>502</td></tr>
 *   <tr><td>response begun and resumable</td><td>the rest from another backend, from the budget</td></tr>
 *   <tr><td>response begun, otherwise</td><td>the client's connection is cut</td></tr>
 * </table>
 *
 * <p>A backend that was not connected yet is no failure in this sense: see {@link BackendSearch}.
 *
 * @param idempotent whether the request may be done twice (RFC 9110, 9.2.2)
 * @param bodyBegan whether bytes of the request's body were passed on, which nobody has any more
 * @param responseBegan whether the client has been told a status
 * @param resumable whether the rest of the response can be had from another backend
 * @param connectionReused whether the connection had served an earlier request, and was closed rather than silent
 */
record Failure(
        boolean idempotent, boolean bodyBegan, boolean responseBegan, boolean resumable, boolean connectionReused) {
    /** What may be done. */
    enum Remedy {
        SAME_BACKEND,
        ANOTHER_BACKEND,
        NONE
    }

    Remedy remedy() {
        if (responseBegan) {
            return resumable ? Remedy.ANOTHER_BACKEND : Remedy.NONE;
        }
        if (bodyBegan || !idempotent) {
            return Remedy.NONE;
        }
        return connectionReused ? Remedy.SAME_BACKEND : Remedy.ANOTHER_BACKEND;
    }
}
