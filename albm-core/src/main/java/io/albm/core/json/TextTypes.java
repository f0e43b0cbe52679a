// SPDX-License-Identifier: Apache-2.0
package io.albm.core.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/** Values which are text in JSON, also as keys of an object. */
final class TextTypes extends SimpleModule {
    TextTypes() {
        super("albm");
        text(NodeId.class, NodeId::new);
        text(NodeAddress.class, NodeAddress::parse);
        text(Role.class, Role::parse);
        text(Instant.class, Instant::parse);
        text(Duration.class, Duration::parse);
    }

    private <T> void text(Class<T> type, Function<String, T> parse) {
        addSerializer(type, new ToStringSerializer(type));
        addDeserializer(type, new Parsed<>(type, parse));
        addKeySerializer(type, new TextKey<>(type));
        addKeyDeserializer(type, new ParsedKey(parse));
    }

    private static final class Parsed<T> extends FromStringDeserializer<T> {
        private final transient Function<String, T> parse;

        Parsed(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        protected T _deserialize(String value, DeserializationContext context) {
            return parse.apply(value);
        }
    }

    private static final class TextKey<T> extends StdSerializer<T> {
        TextKey(Class<T> type) {
            super(type);
        }

        @Override
        public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeFieldName(value.toString());
        }
    }

    private static final class ParsedKey extends KeyDeserializer {
        private final Function<String, ?> parse;

        ParsedKey(Function<String, ?> parse) {
            this.parse = parse;
        }

        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return parse.apply(key);
        }
    }
}
