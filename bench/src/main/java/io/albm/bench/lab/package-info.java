// SPDX-License-Identifier: Apache-2.0
/** Hosts with slow links on one machine: network namespaces behind a switch, which threads of this process can be in. */
@NullMarked
package io.albm.bench.lab;

import org.jspecify.annotations.NullMarked;
