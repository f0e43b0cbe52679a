// SPDX-License-Identifier: Apache-2.0
/** The console role: a read-only page that follows the cluster live. */
@NullMarked
package io.albm.console.web;

import org.jspecify.annotations.NullMarked;
