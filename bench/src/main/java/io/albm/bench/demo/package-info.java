// SPDX-License-Identifier: Apache-2.0
/** {@code albm demo}: a real cluster, real work, real faults, and checks that fail if any of it was not right. */
@NullMarked
package io.albm.bench.demo;

import org.jspecify.annotations.NullMarked;
