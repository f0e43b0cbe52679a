// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import java.util.List;
import java.util.Map;

/**
 * One process, as {@code albm status} knows it.
 *
 * @param pid process id on its machine; 0 if not known
 * @param reasons why it is not simply up, each with the component that says so
 */
public record ProcessStatus(
        String id, Role role, ProcessState state, long pid, Map<String, NodeAddress> endpoints, List<String> reasons) {}
