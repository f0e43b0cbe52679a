// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import picocli.CommandLine.Command;

/** {@code albm cache}. */
@Command(
        name = "cache",
        description = "What the cache servers of a running cluster keep in main memory: look at it, change it.",
        subcommands = {
            CacheShowCommand.class,
            CacheTopCommand.class,
            CachePurgeCommand.class,
            CacheWarmCommand.class,
            CacheResizeCommand.class,
            CachePolicyCommand.class
        },
        footer = {
            "  albm cache show",
            "  albm cache top --by bytes --most 50",
            "  albm cache purge '/news/*'",
            "  albm cache resize 512MiB --server cache-1",
            "  albm cache policy gdsf"
        })
final class CacheCommand {}
