// SPDX-License-Identifier: Apache-2.0
/** The admin port that every process has: health with reasons, metrics and read-only JMX over HTTP. */
@NullMarked
package io.albm.core.admin;

import org.jspecify.annotations.NullMarked;
