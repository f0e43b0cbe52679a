// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.OrcaReport;

/**
 * What a backend said of itself in a response.
 *
 * @param receivedNanos by the clock of the views
 */
record LoadReport(OrcaReport report, long receivedNanos) {}
