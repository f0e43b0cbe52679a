// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Listens on loopback, unless the operator says that the network is to be trusted. */
public final class BindRule {

    private BindRule() {}

    /** @throws ConfigException if the address is no address, or wider than allowed */
    static void check(Configuration configuration) {
        check(
                configuration.get(CommonKeys.BIND),
                configuration.get(CommonKeys.INSECURE),
                configuration.origin(CommonKeys.BIND));
    }

    /**
     * Checks an address to listen on.
     *
     * @param bind an IP address or a name of this machine
     * @param insecure whether the operator trusts everybody who can reach it
     * @param origin where the address was given, for the message
     * @throws ConfigException if the address is no address, or wider than allowed
     */
    public static void check(String bind, boolean insecure, String origin) {
        if (!parse(bind, origin).isLoopbackAddress() && !insecure) {
            throw new ConfigException("bind = '%s' (%s): others can reach this address and nothing is encrypted yet; "
                            .formatted(bind, origin)
                    + "use 127.0.0.1, or add --insecure if every machine that can reach it is trusted");
        }
    }

    private static InetAddress parse(String bind, String origin) {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    "bind = '%s' (%s): expected an IP address or a name of this machine, such as 127.0.0.1"
                            .formatted(bind, origin),
                    e);
        }
    }
}
