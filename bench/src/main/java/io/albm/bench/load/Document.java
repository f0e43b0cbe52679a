// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

/**
 * A document that a server should serve, and how to tell that it served the right bytes.
 *
 * @param path of the request, percent-encoded, with a leading slash
 * @param length bytes
 * @param sha256 of the content, in hexadecimal
 */
public record Document(String path, long length, String sha256) {}
