// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no client of ours makes, in JSON with single quotes. */
class IncompleteRequestsTest {
    /** What is in the log has to be read again by the next leader, and to be made again. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'do':'make','parent':1,'mode':33188",
                "'do':'make','parent':1,'name':'','mode':33188",
                "'do':'link','parent':1,'inode':2",
                "'do':'unlink','parent':1",
                "'do':'rmdir','parent':1",
                "'do':'rename','parent':1,'name':'a','newParent':1,'newName':'b'",
                "'do':'rename','parent':1,'name':'a','newParent':1,'how':'REPLACE'",
                "'do':'set-attribute','inode':1,'name':'a'",
                "'do':'remove-attribute','inode':1",
                "'do':'begin','generation':'x'",
                "'do':'cancel'",
                "'do':'change','inode':2,'holes':[{'start':3,'end':3}]",
                "'do':'change','inode':2,'cut':-1",
                "'do':'change','inode':2,'length':-1",
                "'do':'change','inode':2,'ranges':[[0,1,'0123456789abcdef0123456789abcdef',0]]",
                "'do':'publish','path':'/a','mode':'REPLACE'",
                "'do':'remove','path':'a'",
                "'do':'relocate','inode':2,'generation':'0123456789abcdef0123456789abcdef'",
                "'do':'lock','inode':2",
                "'do':'unlock','inode':2"
            })
    void aCommandThatLacksSomethingIsNotRead(String command) {
        String text = "{%s}".formatted(command).replace('\'', '"');
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> Json.read(text, TableCommand.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'ask':'lookup','parent':1",
                "'ask':'look-ahead','parent':1,'limit':1",
                "'ask':'get-attribute','inode':1",
                "'ask':'find','path':'a'",
                "'ask':'files','limit':1",
                "'ask':'unneeded','node':'n-1'",
                "'ask':'blocker','inode':1"
            })
    void aQuestionThatLacksSomethingIsNotRead(String query) {
        String text = "{%s}".formatted(query).replace('\'', '"');
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> Json.read(text, TableQuery.class));
    }
}
