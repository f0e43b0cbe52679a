// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Attributes by their names as text: {@code [VIEW:]NAME[,NAME...]}, the view {@code basic} unless given. */
final class NamedAttributes {
    /** The views whose attributes have names. */
    static final Set<String> VIEWS = Set.of("basic", "posix", "owner");

    private static final String ALL = "*";

    private static final Map<String, Function<ShownAttributes, Object>> BASIC = Map.of(
            "lastModifiedTime", ShownAttributes::lastModifiedTime,
            "lastAccessTime", ShownAttributes::lastAccessTime,
            "creationTime", ShownAttributes::creationTime,
            "size", ShownAttributes::size,
            "isRegularFile", ShownAttributes::isRegularFile,
            "isDirectory", ShownAttributes::isDirectory,
            "isSymbolicLink", ShownAttributes::isSymbolicLink,
            "isOther", ShownAttributes::isOther,
            "fileKey", ShownAttributes::fileKey);

    private static final Map<String, Function<ShownAttributes, Object>> OWNER = Map.of("owner", ShownAttributes::owner);

    private static final Map<String, Function<ShownAttributes, Object>> POSIX = new HashMap<>(BASIC);

    static {
        POSIX.putAll(OWNER);
        POSIX.put("group", ShownAttributes::group);
        POSIX.put("permissions", ShownAttributes::permissions);
    }

    private final String view;
    private final List<String> names;

    private NamedAttributes(String view, List<String> names) {
        this.view = view;
        this.names = names;
    }

    private static NamedAttributes parse(String text) {
        int colon = text.indexOf(':');
        String view = colon < 0 ? "basic" : text.substring(0, colon);
        if (!VIEWS.contains(view)) {
            throw new UnsupportedOperationException("view '" + view + "': expected one of " + VIEWS);
        }
        return new NamedAttributes(view, List.of(text.substring(colon + 1).split(",", -1)));
    }

    private Map<String, Function<ShownAttributes, Object>> known() {
        return switch (view) {
            case "posix" -> POSIX;
            case "owner" -> OWNER;
            default -> BASIC;
        };
    }

    private IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException(
                "attribute '" + name + "' of view " + view + ": expected one of " + known().keySet());
    }

    static Map<String, Object> read(AlbmPath path, String text, boolean follow) throws IOException {
        NamedAttributes asked = parse(text);
        Map<String, Function<ShownAttributes, Object>> wanted = new TreeMap<>();
        for (String name : asked.names) {
            if (name.equals(ALL)) {
                wanted.putAll(asked.known());
            } else if (asked.known().containsKey(name)) {
                wanted.put(name, asked.known().get(name));
            } else {
                throw asked.unknown(name);
            }
        }
        ShownAttributes attributes = new AttributeView(path, asked.view, follow).readAttributes();
        Map<String, Object> values = new HashMap<>();
        wanted.forEach((name, value) -> values.put(name, value.apply(attributes)));
        return values;
    }

    static void set(AlbmPath path, String text, @Nullable Object value, boolean follow) throws IOException {
        NamedAttributes asked = parse(text);
        String name = text.substring(text.indexOf(':') + 1);
        if (!asked.known().containsKey(name)) {
            throw asked.unknown(name);
        }
        AttributeView view = new AttributeView(path, asked.view, follow);
        switch (name) {
            case "lastModifiedTime" -> view.setTimes((FileTime) value, null, null);
            case "lastAccessTime" -> view.setTimes(null, (FileTime) value, null);
            case "creationTime" -> view.setTimes(null, null, (FileTime) value);
            case "owner" -> view.setOwner(given(UserPrincipal.class, name, value));
            case "group" -> view.setGroup(given(GroupPrincipal.class, name, value));
            case "permissions" ->
                path.getFileSystem()
                        .tree()
                        .change(
                                path,
                                follow,
                                AttributeChanges.permissions(Permissions.bits(given(Collection.class, name, value))));
            default -> throw new IllegalArgumentException("attribute '" + name + "': is not to be set");
        }
    }

    private static <T> T given(Class<T> type, String name, @Nullable Object value) {
        if (value == null) {
            throw new NullPointerException("attribute '" + name + "': expected a value");
        }
        return type.cast(value);
    }
}
