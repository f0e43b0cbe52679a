// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.json.Json;
import io.albm.core.node.Member;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What {@code members/<role>/<id>} holds: how the member announces itself, and which process it is. */
record MemberEntry(Member member, ProcessToken process) {
    static MemberEntry parse(byte[] content) {
        return Json.read(content, MemberEntry.class);
    }

    byte[] toBytes() {
        return Json.bytes(this);
    }

    /** In words that help to find the process. */
    String holder() {
        String endpoints = new TreeMap<>(member.endpoints())
                .entrySet().stream()
                        .map(endpoint -> ", " + endpoint.getKey() + " " + endpoint.getValue())
                        .collect(Collectors.joining());
        return "process " + process.pid() + " (started " + member.started() + endpoints + ")";
    }
}
