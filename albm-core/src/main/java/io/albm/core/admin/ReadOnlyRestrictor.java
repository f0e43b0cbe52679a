// SPDX-License-Identifier: Apache-2.0
package io.albm.core.admin;

import java.util.Set;
import javax.management.ObjectName;
import org.jolokia.server.core.restrictor.AbstractConstantRestrictor;
import org.jolokia.server.core.util.HttpMethod;
import org.jolokia.server.core.util.RequestType;

/** Lets the JVM's own beans and ALBM's be read; refuses everything that is not named here. */
final class ReadOnlyRestrictor extends AbstractConstantRestrictor {

    private static final Set<String> DOMAINS = Set.of("java.lang", "io.albm");
    private static final Set<RequestType> TYPES =
            Set.of(RequestType.READ, RequestType.LIST, RequestType.SEARCH, RequestType.VERSION);

    ReadOnlyRestrictor() {
        super(false);
    }

    @Override
    public boolean isHttpMethodAllowed(HttpMethod method) {
        return true;
    }

    @Override
    public boolean isTypeAllowed(RequestType type) {
        return TYPES.contains(type);
    }

    @Override
    public boolean isAttributeReadAllowed(ObjectName name, String attribute) {
        return DOMAINS.contains(name.getDomain());
    }

    @Override
    public boolean isObjectNameHidden(ObjectName name) {
        return !DOMAINS.contains(name.getDomain()) && !name.isDomainPattern();
    }
}
