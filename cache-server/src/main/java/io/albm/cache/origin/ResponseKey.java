// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

/**
 * Names a stored response.
 *
 * @param uri of the request, with its host
 * @param selected what its {@code Vary} made of the request, see {@link Selection#key}; empty without
 */
public record ResponseKey(String uri, String selected) {

    /** The URI, and behind it on the same line what selected the response: how operators see and name it. */
    @Override
    public String toString() {
        return selected.isEmpty()
                ? uri
                : uri + " " + selected.replace('\n', ' ').replace("\0", "none");
    }
}
