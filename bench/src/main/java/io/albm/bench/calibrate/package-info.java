// SPDX-License-Identifier: Apache-2.0
/** {@code albm calibrate}: paper P1's three stress experiments against a real server, and the thresholds they show. */
@NullMarked
package io.albm.bench.calibrate;

import org.jspecify.annotations.NullMarked;
