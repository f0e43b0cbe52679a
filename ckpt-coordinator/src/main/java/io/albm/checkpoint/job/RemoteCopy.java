// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.savings.PageSource;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy on another host. One range is in memory; the next is asked for when it is needed. A copy that cannot be read, or
 * not any further, ends there: what it does not give comes from the striped store. For one thread.
 */
final class RemoteCopy implements PageSource {
    private static final Logger log = LoggerFactory.getLogger(RemoteCopy.class);

    private final CopyLink link;
    private final NodeAddress keeper;
    private final long checkpoint;
    private final int rank;
    private byte[] range = new byte[0];
    private long from;
    private boolean over;

    /** @param checkpoint that is restored; the copy may be of another one */
    RemoteCopy(CopyLink link, NodeAddress keeper, long checkpoint, int rank) {
        this.link = link;
        this.keeper = keeper;
        this.checkpoint = checkpoint;
        this.rank = rank;
    }

    @Override
    public int read(long offset, byte[] to, int length) {
        int count = 0;
        while (count < length && has(offset + count)) {
            int at = (int) (offset + count - from);
            int more = Math.min(length - count, range.length - at);
            System.arraycopy(range, at, to, count, more);
            count += more;
        }
        return count;
    }

    private boolean has(long offset) {
        if ((offset < from || offset >= from + range.length) && !over) {
            fetch(offset);
        }
        return !over && range.length > 0;
    }

    private void fetch(long offset) {
        try {
            range = link.read(keeper, new CopyRange(checkpoint, rank, offset, CopyRange.MOST_BYTES));
            from = offset;
        } catch (IOException e) {
            log.info("the partner copy of rank {} is not used from byte {} on: {}", rank, offset, e.getMessage());
            over = true;
        }
    }
}
