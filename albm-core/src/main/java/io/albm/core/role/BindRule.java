// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Listens on loopback, unless the operator says that the network is to be trusted. */
final class BindRule {

    private BindRule() {}

    /** @throws ConfigException if the address is no address, or wider than allowed */
    static void check(Configuration configuration) {
        var bind = configuration.get(CommonKeys.BIND);
        if (!parse(configuration, bind).isLoopbackAddress() && !configuration.get(CommonKeys.INSECURE)) {
            throw new ConfigException("bind = '%s' (%s): others can reach this address and nothing is encrypted yet; "
                            .formatted(bind, configuration.origin(CommonKeys.BIND))
                    + "use 127.0.0.1, or add --insecure if every machine that can reach it is trusted");
        }
    }

    private static InetAddress parse(Configuration configuration, String bind) {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    "bind = '%s' (%s): expected an IP address or a name of this machine, such as 127.0.0.1"
                            .formatted(bind, configuration.origin(CommonKeys.BIND)),
                    e);
        }
    }
}
