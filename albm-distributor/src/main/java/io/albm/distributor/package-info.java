// SPDX-License-Identifier: Apache-2.0
/**
 * The distributor: one address for many servers, which routes by what their hosts feel.
 * This package has the process; {@code routing} decides, {@code backend} knows the servers, {@code proxy} moves bytes.
 */
@NullMarked
package io.albm.distributor;

import org.jspecify.annotations.NullMarked;
