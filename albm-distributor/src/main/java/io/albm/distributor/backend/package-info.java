// SPDX-License-Identifier: Apache-2.0
/**
 * The servers behind the distributor: who they are, whether they live, and what their hosts report.
 * One event loop keeps the books; the data path reads the last finished page.
 */
@NullMarked
package io.albm.distributor.backend;

import org.jspecify.annotations.NullMarked;
