// SPDX-License-Identifier: Apache-2.0
/** Files past the kernel's page cache. */
@NullMarked
package io.albm.core.file;

import org.jspecify.annotations.NullMarked;
