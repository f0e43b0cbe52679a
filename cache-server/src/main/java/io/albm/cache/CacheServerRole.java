// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.source.DirectorySource;
import io.albm.core.config.ConfigException;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleDefinition;
import io.albm.core.role.RoleService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Serves the documents of a directory or of the striped storage, or the responses of an HTTP origin, from main memory. */
public final class CacheServerRole implements RoleDefinition {

    /** A path keeps one of the slashes. */
    private static final Pattern URL = Pattern.compile("https?:/", Pattern.CASE_INSENSITIVE);

    @Override
    public Role role() {
        return Role.CACHE_SERVER;
    }

    @Override
    public ConfigSchema schema() {
        return CacheServerConfig.schema();
    }

    @Override
    public RoleService create(RoleContext context) {
        return new CacheServer(context, engine(context));
    }

    private static Engine engine(RoleContext context) {
        Configuration configuration = context.configuration();
        if (StorageKeys.isSet(configuration)) {
            return StorageKeys.engine(context);
        }
        return OriginKeys.isSet(configuration)
                ? new OriginEngine(context, OriginKeys.settings(configuration))
                : new DocumentEngine(context, documents(configuration), () -> {});
    }

    static DirectorySource documents(Configuration configuration) {
        Path docs = configuration.get(CacheServerConfig.DOCS);
        if (URL.matcher(docs.toString()).lookingAt()) {
            throw new ConfigException(
                    "docs = '%s' (%s): expected a directory, not a URL; to cache what an HTTP server has, name it with --origin http://HOST:PORT"
                            .formatted(docs, configuration.origin(CacheServerConfig.DOCS)));
        }
        try {
            return configuration.get(CacheServerConfig.DIRECT_READS)
                    ? DirectorySource.pastPageCache(docs)
                    : new DirectorySource(docs);
        } catch (IOException e) {
            throw new ConfigException(
                    "docs = '%s' (%s): expected a directory that can be read; name one with --docs DIR"
                            .formatted(docs, configuration.origin(CacheServerConfig.DOCS)),
                    e);
        }
    }
}
