// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

/**
 * A state that was put together in a file.
 *
 * @param sha256 of what is in the file, in lower-case hexadecimal
 */
public record RestoredState(String sha256, StateOrigin origin) {}
