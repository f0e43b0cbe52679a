// SPDX-License-Identifier: Apache-2.0
/**
 * Terminal commands for a local cluster and for looking at any cluster: up, down, status, top.
 * Reading a cluster, judging it and showing it are apart; a program reads the same facts as JSON.
 */
@NullMarked
package io.albm.console.terminal;

import org.jspecify.annotations.NullMarked;
