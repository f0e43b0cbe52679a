// SPDX-License-Identifier: Apache-2.0
/**
 * Reading the kernel's text files (/proc, /sys) again and again without allocating: one open descriptor, one buffer,
 * numbers parsed from bytes.
 */
@NullMarked
package io.albm.core.proc;

import org.jspecify.annotations.NullMarked;
