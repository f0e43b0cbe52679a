// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.source.StripedSource;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.role.RoleContext;
import io.albm.core.wire.FrameClient;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;

/** The cache server's key for documents in the striped storage. */
final class StorageKeys {

    static final Key<String> STORAGE = Key.text(
            "storage",
            "",
            "Path in the striped storage, such as /www, whose files are the documents instead of those of 'docs'; / takes all.");

    private StorageKeys() {}

    /** Whether the source is the striped storage. */
    static boolean isSet(Configuration configuration) {
        return !configuration.get(STORAGE).isEmpty();
    }

    /** Documents of the storage of the cluster that this server is in. */
    static Engine engine(RoleContext context) {
        Configuration configuration = context.configuration();
        refuseBeside(configuration, CacheServerConfig.DOCS);
        refuseBeside(configuration, OriginKeys.ORIGIN);
        refuseBeside(configuration, CacheServerConfig.DIRECT_READS);
        FrameClient client = new FrameClient(context.transport());
        StripedStore store = ClusterStorage.open(context.cluster(), client, StripeSettings.DEFAULT, context.health());
        try {
            return new DocumentEngine(
                    context, new StripedSource(store.files(), configuration.get(STORAGE)), client::close);
        } catch (IllegalArgumentException e) {
            client.close();
            throw new ConfigException("storage = '%s' (%s): expected a path in the striped storage, such as /www; %s"
                    .formatted(configuration.get(STORAGE), configuration.origin(STORAGE), e.getMessage()));
        }
    }

    private static void refuseBeside(Configuration configuration, Key<?> other) {
        if (configuration.isChosen(other)) {
            throw new ConfigException("%s = '%s' (%s) and storage = '%s' (%s): expected one of them"
                    .formatted(
                            other.name(),
                            configuration.get(other),
                            configuration.origin(other),
                            configuration.get(STORAGE),
                            configuration.origin(STORAGE)));
        }
    }
}
