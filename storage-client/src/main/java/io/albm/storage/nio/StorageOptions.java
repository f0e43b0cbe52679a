// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.StripeSettings;
import io.albm.storage.fuse.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a program may say when it opens a storage, by the keys of the {@code env} of
 * {@link java.nio.file.FileSystems#newFileSystem(java.net.URI, Map)}: {@code parity}, units per stripe of what is written, 0 to
 * 2; {@code uid} and {@code gid}, who owns what is made, the process's own unless given. Values are numbers, or numbers as text.
 *
 * @param settings how files are written
 * @param caller who owns what is made
 */
record StorageOptions(StripeSettings settings, Caller caller) {
    private static final String PARITY = "parity";
    private static final String UID = "uid";
    private static final String GID = "gid";
    private static final Set<String> KEYS = new TreeSet<>(Set.of(PARITY, UID, GID));

    /** @throws IllegalArgumentException if a key is unknown, or a value makes no sense */
    static StorageOptions of(Map<String, ?> env) {
        env.keySet().stream().filter(key -> !KEYS.contains(key)).findFirst().ifPresent(unknown -> {
            throw new IllegalArgumentException("env has the key '" + unknown + "': expected none but " + KEYS);
        });
        StripeSettings settings = env.containsKey(PARITY)
                ? StripeSettings.DEFAULT.withParityUnits(number(env, PARITY))
                : StripeSettings.DEFAULT;
        int uid = env.containsKey(UID) ? number(env, UID) : ofThisProcess(UID);
        int gid = env.containsKey(GID) ? number(env, GID) : ofThisProcess(GID);
        return new StorageOptions(settings, new Caller(uid, gid, 0));
    }

    private static int number(Map<String, ?> env, String key) {
        String text = String.valueOf(env.get(key));
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("env has " + key + "=" + text + ": expected a number, 0 or more", e);
        }
    }

    /** Where there is no such attribute, it is root who owns what is made, as with {@code albm storage put}. */
    private static int ofThisProcess(String attribute) {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:" + attribute);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException notLinux) {
            return 0;
        }
    }
}
