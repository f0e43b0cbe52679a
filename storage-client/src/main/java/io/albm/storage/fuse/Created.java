// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/** A file that was made and opened in one step. */
public record Created(Attributes attributes, Opened opened) {}
