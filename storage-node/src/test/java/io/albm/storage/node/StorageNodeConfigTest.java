// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.config.Sources;
import io.albm.storage.FailureDomain;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StorageNodeConfigTest {
    @Test
    void aNodeIsADomainByItselfUnlessItIsToldOne() {
        assertThat(configuration(Map.of()).get(StorageNodeConfig.FAILURE_DOMAIN))
                .isEmpty();
        assertThat(configuration(Map.of("failure-domain", " rack-7 ")).get(StorageNodeConfig.FAILURE_DOMAIN))
                .contains(new FailureDomain("rack-7"));
    }

    @Test
    void refusesADomainThatIsNoName() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> configuration(Map.of("failure-domain", "Rack 7")))
                .withMessage("failure-domain = 'Rack 7' (command line --failure-domain): expected 1 to 63 characters of"
                        + " a-z, 0-9, '.', '_' and '-', starting with a letter or digit, such as rack-7, or nothing");
    }

    private static Configuration configuration(Map<String, String> commandLine) {
        return Configuration.load(StorageNodeConfig.SCHEMA, new Sources(commandLine, Map.of(), Optional.empty()));
    }
}
