// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.AttributeChange;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Changes of one kind of attribute each. */
final class AttributeChanges {
    private AttributeChanges() {}

    static AttributeChange size(long size, long handle) {
        return change(
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalLong.of(size),
                null,
                null,
                OptionalLong.of(handle));
    }

    static AttributeChange times(@Nullable FileTime modified, @Nullable FileTime accessed) {
        return change(
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                accessed,
                modified,
                OptionalLong.empty());
    }

    static AttributeChange permissions(int mode) {
        return owners(OptionalInt.of(mode), OptionalInt.empty(), OptionalInt.empty());
    }

    static AttributeChange owner(int uid) {
        return owners(OptionalInt.empty(), OptionalInt.of(uid), OptionalInt.empty());
    }

    static AttributeChange group(int gid) {
        return owners(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(gid));
    }

    private static AttributeChange owners(OptionalInt mode, OptionalInt uid, OptionalInt gid) {
        return change(mode, uid, gid, OptionalLong.empty(), null, null, OptionalLong.empty());
    }

    private static AttributeChange change(
            OptionalInt mode,
            OptionalInt uid,
            OptionalInt gid,
            OptionalLong size,
            @Nullable FileTime accessed,
            @Nullable FileTime modified,
            OptionalLong handle) {
        return new AttributeChange(
                mode,
                uid,
                gid,
                size,
                Optional.ofNullable(accessed).map(FileTime::toInstant),
                Optional.ofNullable(modified).map(FileTime::toInstant),
                Optional.empty(),
                handle,
                false);
    }
}
