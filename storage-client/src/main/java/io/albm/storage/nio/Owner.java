// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;

/** A user or group: the storage knows them by their numbers, and which names they have is each machine's own affair. */
record Owner(int number) implements GroupPrincipal {
    /** @throws IllegalArgumentException if it is none of this kind of file system */
    static int number(UserPrincipal principal) {
        if (principal instanceof Owner owner) {
            return owner.number;
        }
        throw new IllegalArgumentException("'" + principal + "' is of another file system; look its number up here");
    }

    @Override
    public String getName() {
        return Integer.toUnsignedString(number);
    }

    @Override
    public String toString() {
        return getName();
    }

    /** Takes numbers for names. */
    static final class Lookup extends UserPrincipalLookupService {
        @Override
        public UserPrincipal lookupPrincipalByName(String name) throws UserPrincipalNotFoundException {
            return lookupPrincipalByGroupName(name);
        }

        @Override
        public GroupPrincipal lookupPrincipalByGroupName(String group) throws UserPrincipalNotFoundException {
            try {
                return new Owner(Integer.parseUnsignedInt(group));
            } catch (NumberFormatException name) {
                throw new UserPrincipalNotFoundException(group + " (expected a number)");
            }
        }
    }
}
