// SPDX-License-Identifier: Apache-2.0
/** {@code albm bench checkpoint-savings}: how much of memory images is stored, and what finding that out costs. */
@NullMarked
package io.albm.bench.savings;

import org.jspecify.annotations.NullMarked;
