// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names with slashes between them, as on Unix; a relative one goes on from the root. Immutable. */
final class AlbmPath implements Path {
    private static final String SEPARATOR = "/";
    private static final String HERE = ".";
    private static final String ABOVE = "..";

    private final AlbmFileSystem fileSystem;
    private final boolean absolute;

    /** Without empty ones, but for the empty path: that is one empty name. */
    private final List<String> names;

    private AlbmPath(AlbmFileSystem fileSystem, boolean absolute, List<String> names) {
        this.fileSystem = fileSystem;
        this.absolute = absolute;
        this.names = names.isEmpty() && !absolute ? List.of("") : List.copyOf(names);
    }

    /** @throws InvalidPathException if there cannot be such a name */
    static AlbmPath parse(AlbmFileSystem fileSystem, String text) {
        if (text.indexOf(0) >= 0) {
            throw new InvalidPathException(text, "a name cannot have the character 0", text.indexOf(0));
        }
        CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        if (!encoder.canEncode(text)) {
            throw new InvalidPathException(text, "a name cannot have half of a surrogate pair");
        }
        return new AlbmPath(fileSystem, text.startsWith(SEPARATOR), split(text));
    }

    private static List<String> split(String text) {
        return Stream.of(text.split(SEPARATOR, -1))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** @throws ProviderMismatchException if it is a path of another kind of file system */
    static AlbmPath of(Path path) {
        if (Objects.requireNonNull(path) instanceof AlbmPath albm) {
            return albm;
        }
        throw new ProviderMismatchException("'" + path + "' is a path of "
                + path.getFileSystem().provider().getScheme() + ", expected one of albm");
    }

    private AlbmPath with(boolean isAbsolute, List<String> others) {
        return new AlbmPath(fileSystem, isAbsolute, others);
    }

    List<String> names() {
        return isEmpty() ? List.of() : names;
    }

    private boolean isEmpty() {
        return !absolute && names.getFirst().isEmpty();
    }

    @Override
    public AlbmFileSystem getFileSystem() {
        return fileSystem;
    }

    @Override
    public boolean isAbsolute() {
        return absolute;
    }

    @Override
    public @Nullable AlbmPath getRoot() {
        return absolute ? fileSystem.root() : null;
    }

    @Override
    public @Nullable AlbmPath getFileName() {
        return names.isEmpty() ? null : with(false, List.of(names.getLast()));
    }

    @Override
    public @Nullable AlbmPath getParent() {
        if (names.size() > 1) {
            return with(absolute, names.subList(0, names.size() - 1));
        }
        return names.isEmpty() ? null : getRoot();
    }

    @Override
    public int getNameCount() {
        return names.size();
    }

    @Override
    public AlbmPath getName(int index) {
        return subpath(index, index + 1);
    }

    @Override
    public AlbmPath subpath(int from, int to) {
        if (from < 0 || from >= to || to > names.size()) {
            throw new IllegalArgumentException(
                    "names " + from + " to " + to + " of '" + this + "': expected a range of its " + names.size());
        }
        return with(false, names.subList(from, to));
    }

    private boolean isLike(Path other) {
        return other instanceof AlbmPath path
                && path.fileSystem.equals(fileSystem)
                && path.names.size() <= names.size()
                && (!path.absolute || absolute);
    }

    @Override
    public boolean startsWith(Path other) {
        return isLike(other)
                && other.isAbsolute() == absolute
                && names.subList(0, other.getNameCount()).equals(of(other).names);
    }

    @Override
    public boolean endsWith(Path other) {
        return isLike(other)
                && (!other.isAbsolute() || other.getNameCount() == names.size())
                && names.subList(names.size() - other.getNameCount(), names.size())
                        .equals(of(other).names);
    }

    @Override
    public AlbmPath normalize() {
        List<String> kept = new ArrayList<>();
        for (String name : names()) {
            boolean undoes = name.equals(ABOVE)
                    && (kept.isEmpty() ? absolute : !kept.getLast().equals(ABOVE));
            if (undoes && !kept.isEmpty()) {
                kept.removeLast();
            } else if (!undoes && !name.equals(HERE)) {
                kept.add(name);
            }
        }
        return with(absolute, kept);
    }

    @Override
    public AlbmPath resolve(Path other) {
        AlbmPath further = of(other);
        if (further.absolute) {
            return further;
        }
        List<String> joined = new ArrayList<>(names());
        joined.addAll(further.names());
        return with(absolute, joined);
    }

    @Override
    public AlbmPath relativize(Path other) {
        AlbmPath to = of(other);
        if (to.absolute != absolute || !to.fileSystem.equals(fileSystem)) {
            throw new IllegalArgumentException("'" + other + "' from '" + this
                    + "': expected two absolute paths of one storage, or two relative ones");
        }
        if (isEmpty()) {
            return to;
        }
        List<String> from = normalize().names();
        List<String> target = to.normalize().names();
        int common = 0;
        while (common < Math.min(from.size(), target.size()) && from.get(common).equals(target.get(common))) {
            common++;
        }
        List<String> way = new ArrayList<>();
        for (String left : from.subList(common, from.size())) {
            if (left.equals(ABOVE)) {
                throw new IllegalArgumentException("'" + other + "' from '" + this + "': where that is, is not known");
            }
            way.add(ABOVE);
        }
        way.addAll(target.subList(common, target.size()));
        return with(false, way);
    }

    @Override
    public URI toUri() {
        return fileSystem.uri().of(toAbsolutePath().toString());
    }

    @Override
    public AlbmPath toAbsolutePath() {
        return absolute ? this : with(true, names());
    }

    @Override
    public AlbmPath toRealPath(LinkOption... options) throws IOException {
        return fileSystem.tree().real(this, Tree.follows(options));
    }

    @Override
    public WatchKey register(
            WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier @Nullable ... modifiers) {
        throw new UnsupportedOperationException("the storage does not tell of changes");
    }

    @Override
    public int compareTo(Path other) {
        AlbmPath path = (AlbmPath) other;
        int systems = fileSystem.toString().compareTo(path.fileSystem.toString());
        return systems != 0 ? systems : toString().compareTo(path.toString());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AlbmPath path
                && path.fileSystem.equals(fileSystem)
                && path.absolute == absolute
                && path.names.equals(names);
    }

    @Override
    public int hashCode() {
        return Objects.hash(fileSystem, absolute, names);
    }

    @Override
    public String toString() {
        return (absolute ? SEPARATOR : "") + String.join(SEPARATOR, names);
    }
}
