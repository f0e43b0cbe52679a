// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationTest {
    private static final Key<Integer> QUEUE = Key.integer("queue", 64, 1, 1024, "Requests that wait.");
    private static final Key<Long> CAPACITY =
            Key.size("capacity", 64 << 20, 1 << 20, 1L << 40, "Main memory for documents.");
    private static final ConfigSchema SCHEMA = ConfigSchema.of(Role.CACHE_SERVER, 9101, QUEUE, CAPACITY);

    @TempDir
    private Path directory;

    @Test
    void takesCommandLineBeforeEnvironmentBeforeFileBeforeBuiltIn() throws IOException {
        Path file = file("# of this rack", "queue = 2", "capacity = 2 MiB", "cluster = two");
        Map<String, String> environment = Map.of("ALBM_QUEUE", "3", "ALBM_CAPACITY", "3 MiB");
        Configuration configuration =
                Configuration.load(SCHEMA, new Sources(Map.of("queue", "4"), environment, Optional.of(file)));

        assertThat(configuration.get(QUEUE)).isEqualTo(4);
        assertThat(configuration.origin(QUEUE)).isEqualTo("command line --queue");
        assertThat(configuration.get(CAPACITY)).isEqualTo(3 << 20);
        assertThat(configuration.origin(CAPACITY)).isEqualTo("environment ALBM_CAPACITY");
        assertThat(configuration.get(CommonKeys.CLUSTER)).isEqualTo("two");
        assertThat(configuration.origin(CommonKeys.CLUSTER)).isEqualTo("file " + file + ":4");
        assertThat(configuration.get(CommonKeys.DRAIN_TIMEOUT)).isEqualTo(Duration.ofSeconds(10));
        assertThat(configuration.origin(CommonKeys.DRAIN_TIMEOUT)).isEqualTo("built-in");
    }

    @Test
    void roleHasDefaultsOfItsOwn() {
        Configuration configuration = commandLine(Map.of());
        assertThat(configuration.get(CommonKeys.ID)).isEqualTo(new NodeId("cache-server"));
        assertThat(configuration.get(CommonKeys.ADMIN_PORT)).isEqualTo(9101);
    }

    @Test
    void listsOwnKeysFirst() {
        assertThat(commandLine(Map.of()).settings())
                .extracting(setting -> setting.key().name())
                .startsWith("queue", "capacity", "id")
                .contains("admin-port", "log-format");
    }

    @Test
    void readsAListInEitherForm() throws IOException {
        Path file = file("zookeeper = [\"a:1\", \"b:2\"]");
        Configuration fromFile = Configuration.load(SCHEMA, new Sources(Map.of(), Map.of(), Optional.of(file)));
        List<NodeAddress> expected = List.of(new NodeAddress("a", 1), new NodeAddress("b", 2));
        assertThat(fromFile.get(CommonKeys.ZOOKEEPER)).isEqualTo(expected);
        assertThat(commandLine(Map.of("zookeeper", "a:1, b:2")).get(CommonKeys.ZOOKEEPER))
                .isEqualTo(expected);
    }

    @Test
    void refusesAnUnknownKeyAndNamesTheNearest() throws IOException {
        assertRefused(
                Map.of("admin-prot", "1"),
                "unknown key 'admin-prot' (command line --admin-prot); did you mean 'admin-port'?");
        Path file = file("", "capasity = 1 GiB");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> Configuration.load(SCHEMA, new Sources(Map.of(), Map.of(), Optional.of(file))))
                .withMessage("unknown key 'capasity' (file " + file + ":2); did you mean 'capacity'?");
    }

    @Test
    void warnsOfAnEnvironmentVariableThatIsAlmostAKey() {
        Map<String, String> environment = Map.of("ALBM_ADMIN_PROT", "1", "ALBM_HOME", "/srv", "PATH", "/bin");
        assertThat(Configuration.load(SCHEMA, new Sources(Map.of(), environment, Optional.empty()))
                        .warnings())
                .containsExactly(
                        "environment variable ALBM_ADMIN_PROT is no key of this role; did you mean ALBM_ADMIN_PORT?");
    }

    @Test
    void saysWhatIsExpectedOfABadValue() {
        assertRefused(
                Map.of("queue", "many"),
                "queue = 'many' (command line --queue): expected a whole number from 1 to 1024");
        assertRefused(
                Map.of("queue", "0"), "queue = '0' (command line --queue): expected a whole number from 1 to 1024");
        assertRefused(
                Map.of("capacity", "64 MX"),
                "capacity = '64 MX' (command line --capacity): expected a size from 1 MiB to 1 TiB"
                        + " (B, KiB, MiB, GiB or kB, MB, GB), such as 64 MiB");
        assertRefused(
                Map.of("drain-timeout", "10"),
                "drain-timeout = '10' (command line --drain-timeout): expected a duration from 0 s to 1 h"
                        + " with its unit (ns, us, ms, s, m, h), such as 10 s");
        assertRefused(
                Map.of("log-format", "xml"),
                "log-format = 'xml' (command line --log-format): expected one of console, json");
        assertRefused(
                Map.of("insecure", "maybe"), "insecure = 'maybe' (command line --insecure): expected true or false");
    }

    @Test
    void saysWhichFileCannotBeRead() throws IOException {
        Path missing = directory.resolve("none.conf");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> Configuration.load(SCHEMA, new Sources(Map.of(), Map.of(), Optional.of(missing))))
                .withMessage("configuration file '" + missing + "': no such file, or not readable");
        Path broken = file("queue = {");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> Configuration.load(SCHEMA, new Sources(Map.of(), Map.of(), Optional.of(broken))))
                .withMessageContaining("test.conf")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void refusesAKeyThatIsNotInTheSchema() {
        Key<String> other = Key.text("other", "", "Another role's.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commandLine(Map.of()).get(other));
    }

    @Test
    void refusesTwoKeysOfOneName() {
        assertThatIllegalArgumentException().isThrownBy(() -> ConfigSchema.of(QUEUE, QUEUE));
    }

    @Test
    void refusesADefaultOutOfRange() {
        assertThatExceptionOfType(ConfigException.class).isThrownBy(() -> Key.integer("bad", 0, 1, 2, "Wrong."));
    }

    private static void assertRefused(Map<String, String> values, String message) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> commandLine(values))
                .withMessage(message);
    }

    private static Configuration commandLine(Map<String, String> values) {
        return Configuration.load(SCHEMA, Sources.commandLine(values));
    }

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("test.conf"), List.of(lines));
    }
}
