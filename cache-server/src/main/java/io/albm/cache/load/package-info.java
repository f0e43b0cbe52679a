// SPDX-License-Identifier: Apache-2.0
/** What a cache server tells balancers about its load: the ORCA header of its responses. */
@NullMarked
package io.albm.cache.load;

import org.jspecify.annotations.NullMarked;
