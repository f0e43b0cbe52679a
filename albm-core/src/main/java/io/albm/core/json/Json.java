// SPDX-License-Identifier: Apache-2.0
package io.albm.core.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * The one way to and from JSON. Records are objects by their component names; names, addresses, roles and times are
 * text. Unknown fields are skipped, so that a newer process can be read by an older one.
 *
 * <p>Safe for use by many threads. Not for hot paths: a report costs microseconds and garbage.
 */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new TextTypes())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();

    private Json() {}

    /** The value as one line of JSON. */
    public static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw unwritable(value, e);
        }
    }

    /** The value as JSON over several lines, for people. */
    public static String pretty(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw unwritable(value, e);
        }
    }

    /** The value as JSON in UTF-8. */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw unwritable(value, e);
        }
    }

    /**
     * Reads a value.
     *
     * @throws JsonException if the bytes are no JSON of that type
     */
    public static <T> T read(byte[] json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (IOException e) {
            throw unreadable(type.getSimpleName(), e);
        }
    }

    /**
     * Reads a value.
     *
     * @throws JsonException if the text is no JSON of that type
     */
    public static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw unreadable(type.getSimpleName(), e);
        }
    }

    /**
     * Reads a value of a generic type, such as a map of members.
     *
     * @throws JsonException if the bytes are no JSON of that type
     */
    public static <T> T read(byte[] json, TypeReference<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (IOException e) {
            throw unreadable(type.getType().getTypeName(), e);
        }
    }

    /**
     * Reads any JSON.
     *
     * @throws JsonException if the text is no JSON
     */
    public static JsonNode tree(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw unreadable("JSON", e);
        }
    }

    /** An empty object to fill. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    private static JsonException unwritable(Object value, JsonProcessingException cause) {
        return new JsonException("cannot write a " + value.getClass().getSimpleName() + " as JSON", cause);
    }

    private static JsonException unreadable(String expected, IOException cause) {
        return new JsonException("not a " + expected + " in JSON: " + firstLine(cause), cause);
    }

    private static String firstLine(IOException cause) {
        return cause instanceof JsonProcessingException json
                ? json.getOriginalMessage().lines().findFirst().orElse("")
                : String.valueOf(cause.getMessage());
    }
}
