// SPDX-License-Identifier: Apache-2.0
/** Looking at a cluster: terminal commands and the web console. */
@NullMarked
package io.albm.console;

import org.jspecify.annotations.NullMarked;
