// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.Content;
import io.albm.storage.FileInfo;
import io.albm.storage.Segment;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm storage stat}. */
@Command(
        name = "stat",
        description = "Show what is known of a file: size, checksum, layout, nodes.",
        footer = "  albm storage stat /runs/7/results.tar")
final class StatCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Parameters(paramLabel = "PATH", description = "Name in the storage.")
    private String path = "";

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            FileInfo file = store.stat(path).orElseThrow(() -> new StorageException.NoSuchFile(path));
            output.print(file, () -> text(file));
            return ExitCode.DONE;
        });
    }

    private static String text(FileInfo file) {
        Content content = file.content();
        return """
                name        %s
                bytes       %d
                crc32c      %s
                modified    %s
                nodes       %s
                segments    %s""".formatted(
                file.path(),
                file.length(),
                content.crc32c() == Content.UNKNOWN ? "unknown, changed in part" : "%08x".formatted(content.crc32c()),
                file.modified(),
                file.nodes(),
                content.segments().stream().map(StatCommand::text).collect(Collectors.joining("\n            ")));
    }

    private static String text(Segment segment) {
        return segment.isInline()
                ? "%s: %d bytes, in the file table".formatted(segment.generation(), segment.length())
                : "%s: %d bytes, %s, units of %s"
                        .formatted(
                                segment.generation(),
                                segment.length(),
                                layout(segment),
                                Sizes.text(segment.geometry().unitBytes()));
    }

    private static String layout(Segment segment) {
        return segment.isInline()
                ? "table"
                : segment.geometry().dataUnits() + " + " + segment.geometry().parityUnits();
    }

    /** How a file is cut; its newest part, if it was changed in part. */
    static String layout(FileInfo file) {
        List<Segment> segments = file.content().segments();
        return segments.isEmpty() ? "-" : layout(segments.getLast());
    }
}
