// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What names a storage, and how it is to be used. */
final class ClusterUriTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "albm://127.0.0.1:2181           | albm    | 127.0.0.1:2181",
                "albm://127.0.0.1:2181/a/b       | albm    | 127.0.0.1:2181",
                "ALBM://zk-1:2181/               | albm    | zk-1:2181",
                "albm://a:1,b:2,c:3/             | albm    | a:1,b:2,c:3",
                "albm://albm@a:1/                | albm    | a:1",
                "albm://rack-2@a:1,b:2/x         | rack-2  | a:1,b:2",
                "albm://[::1]:2181/              | albm    | [::1]:2181",
            })
    void namesAClusterByItsServers(String uri, String cluster, String zooKeeper) {
        ClusterUri storage = ClusterUri.of(URI.create(uri));
        assertThat(storage).isEqualTo(new ClusterUri(cluster, zooKeeper));
        assertThat(ClusterUri.of(storage.of("/a b"))).isEqualTo(storage);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "file:///a               | its scheme is not albm",
                "albm:/a                 | it names no server",
                "albm:a                  | it names no server",
                "albm://host/            | address 'host': expected host:port",
                "albm://a:1,b/           | address 'b': expected host:port",
                "albm://a:1,/            | address '': expected host:port",
                "albm://a:1/x?parity=2   | it has a query or a fragment",
                "albm://a:1/x#y          | it has a query or a fragment",
            })
    void saysWhatIsWrongWithAUri(String uri, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterUri.of(URI.create(uri)))
                .withMessageContaining("URI '" + uri + "'")
                .withMessageContaining(reason)
                .withMessageContaining("expected albm://[CLUSTER@]HOST:PORT[,HOST:PORT...]/path");
    }

    @Test
    void takesNumbersAndTextForOptions() {
        StorageOptions options = StorageOptions.of(Map.of("parity", "2", "uid", 7, "gid", "8"));
        assertThat(options.settings().parityUnits()).isEqualTo(2);
        assertThat(options.caller().uid()).isEqualTo(7);
        assertThat(options.caller().gid()).isEqualTo(8);
        assertThat(StorageOptions.of(Map.of()).settings().parityUnits()).isNull();
    }

    @Test
    void saysWhatIsWrongWithAnOption() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StorageOptions.of(Map.of("partiy", 2)))
                .withMessage("env has the key 'partiy': expected none but [gid, parity, uid]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StorageOptions.of(Map.of("uid", "root")))
                .withMessage("env has uid=root: expected a number, 0 or more");
        assertThatIllegalArgumentException().isThrownBy(() -> StorageOptions.of(Map.of("parity", 3)));
    }
}
