// SPDX-License-Identifier: Apache-2.0
/** What every role is made of. */
@NullMarked
package io.albm.core;

import org.jspecify.annotations.NullMarked;
