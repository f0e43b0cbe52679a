// SPDX-License-Identifier: Apache-2.0
/**
 * The striped storage as a file system that the kernel can mount: {@code albm mount}. Names and attributes are the file
 * table's; what is written to a file is kept here until it is closed.
 */
@NullMarked
package io.albm.storage.mount;

import org.jspecify.annotations.NullMarked;
