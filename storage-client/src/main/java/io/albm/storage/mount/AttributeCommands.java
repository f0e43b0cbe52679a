// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.TableCommand;
import io.albm.storage.fuse.AttributeChange;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What is asked of the file table when attributes change. */
final class AttributeCommands {
    private AttributeCommands() {}

    /**
     * All of a change but the size.
     *
     * @param touch the file is changed now, whatever has become of its content
     */
    static TableCommand.SetAttributes command(long inode, AttributeChange change, boolean touch) {
        Optional<Instant> modified = change.modified().or(() -> touch ? Optional.of(Instant.now()) : Optional.empty());
        return new TableCommand.SetAttributes(
                inode,
                number(change.mode()),
                number(change.uid()),
                number(change.gid()),
                change.accessed().orElse(null),
                modified.orElse(null),
                change.killSetIds());
    }

    private static @Nullable Integer number(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    static boolean isEmpty(TableCommand.SetAttributes set) {
        return set.equals(new TableCommand.SetAttributes(set.inode(), null, null, null, null, null, false));
    }

    static TableCommand.SetAttributes touch(long inode) {
        return new TableCommand.SetAttributes(inode, null, null, null, null, Instant.now(), false);
    }

    static TableCommand.SetAttributes killSetIds(long inode) {
        return new TableCommand.SetAttributes(inode, null, null, null, null, null, true);
    }

    /** Only what nobody has to act upon is kept: access lists and capabilities would be shown, but not hold. */
    static void checkName(String attribute) throws ErrnoException {
        if (!attribute.startsWith("user.") && !attribute.startsWith("trusted.")) {
            throw new ErrnoException(Errno.EOPNOTSUPP);
        }
    }
}
