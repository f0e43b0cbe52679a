// SPDX-License-Identifier: Apache-2.0
/**
 * Statistics as a HAProxy user knows them: counters that the data path keeps, rows of HAProxy's columns, and the page, CSV
 * and JSON made of them. Knows neither sockets nor backends.
 */
@NullMarked
package io.albm.distributor.stats;

import org.jspecify.annotations.NullMarked;
