// SPDX-License-Identifier: Apache-2.0
/** Pure decisions about which node takes a container, by name. */
@NullMarked
package io.albm.placement.policy;

import org.jspecify.annotations.NullMarked;
