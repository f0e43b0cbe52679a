// SPDX-License-Identifier: Apache-2.0
/**
 * What an agent tells balancers other than ours: HAProxy's agent-check on a port, ORCA load reports on the admin port.
 */
@NullMarked
package io.albm.agent.balancer;

import org.jspecify.annotations.NullMarked;
