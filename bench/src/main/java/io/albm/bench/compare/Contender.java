// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import io.albm.bench.process.ChildProcess;
import io.albm.core.node.NodeAddress;

/**
 * A server or proxy that takes part.
 *
 * @param name as in the report
 * @param process whose CPU time is counted
 * @param address where it takes the load
 */
public record Contender(String name, ChildProcess process, NodeAddress address) {}
