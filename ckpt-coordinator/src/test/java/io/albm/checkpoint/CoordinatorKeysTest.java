// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.config.Sources;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CoordinatorKeysTest {
    @Test
    void keysThatNoNetworkFitsAreRefusedByName() {
        assertThatThrownBy(() -> configuration(Map.of("politeness", "rude")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("politeness")
                .hasMessageContaining("polite, fast");
        assertThatThrownBy(() -> configuration(Map.of("rate-share", "1.5")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("rate-share")
                .hasMessageContaining("from 0.01 to 1");
        assertThatThrownBy(() -> configuration(Map.of("node-link", "many")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("node-link");
    }

    @Test
    void aNodesLinkIsAsFastAsThePortUnlessToldOtherwise() {
        assertThat(CoordinatorKeys.pace(configuration(Map.of("link-speed", "12MB")))
                        .nodeLinkBytesPerSecond())
                .isEqualTo(12e6);
        assertThat(CoordinatorKeys.pace(configuration(Map.of("link-speed", "12MB", "node-link", "3MB")))
                        .floor())
                .isEqualTo(4);
    }

    static Configuration configuration(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("port", "0");
        all.put("id", "c-1");
        return Configuration.load(CoordinatorKeys.schema(), Sources.commandLine(all));
    }
}
