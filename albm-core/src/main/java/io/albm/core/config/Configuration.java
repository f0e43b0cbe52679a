// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import io.albm.core.text.Nearest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The effective configuration of one process, each value with where it came from. Every value has been read once when
 * this exists, so {@link #get} cannot fail later. Immutable.
 */
public final class Configuration {
    private static final String BUILT_IN = "built-in";
    private static final Set<String> OF_THE_LAUNCHER = Set.of("ALBM_HOME", "ALBM_JAVA_OPTS", "ALBM_JVM_DIRS");

    private final Map<String, Setting> settings;
    private final List<String> warnings;

    /**
     * One effective value.
     *
     * @param key what it is
     * @param value as text
     * @param origin {@code built-in}, or which option, variable or line of a file it came from
     */
    public record Setting(Key<?> key, String value, String origin) {
        public Setting {
            key.parse(value, origin);
        }
    }

    private Configuration(Map<String, Setting> settings, List<String> warnings) {
        this.settings = settings;
        this.warnings = warnings;
    }

    /**
     * Puts the sources together: command line before environment before file before built-in.
     *
     * @throws ConfigException if a key is unknown, a value is out of its range, or the file cannot be read
     */
    public static Configuration load(ConfigSchema schema, Sources sources) {
        Map<String, Setting> settings = new LinkedHashMap<>();
        schema.keys().forEach(key -> settings.put(key.name(), new Setting(key, key.defaultText(), BUILT_IN)));
        sources.file().ifPresent(file -> readFile(schema, file, settings));
        readEnvironment(schema, sources.environment(), settings);
        sources.commandLine().forEach((name, value) -> {
            String origin = "command line --" + name;
            settings.put(name, new Setting(schema.require(name, origin), value, origin));
        });
        return new Configuration(settings, misspelled(schema, sources.environment()));
    }

    /** The value of a key. */
    public <T> T get(Key<T> key) {
        Setting setting = setting(key);
        return key.parse(setting.value(), setting.origin());
    }

    /** Whether somebody chose the value of a key, be it the one that is built in. */
    public boolean isChosen(Key<?> key) {
        return !origin(key).equals(BUILT_IN);
    }

    /** Where the value of a key came from. */
    public String origin(Key<?> key) {
        return setting(key).origin();
    }

    /** All effective values, in the order of the schema. */
    public List<Setting> settings() {
        return List.copyOf(settings.values());
    }

    /**
     * Environment variables that look like a misspelled key. They do not stop the start, because one environment
     * often serves several roles, each with keys of its own.
     */
    public List<String> warnings() {
        return warnings;
    }

    private Setting setting(Key<?> key) {
        Setting setting = settings.get(key.name());
        if (setting == null) {
            throw new IllegalArgumentException("key '" + key.name() + "' is not in this role's schema");
        }
        return setting;
    }

    private static void readFile(ConfigSchema schema, Path file, Map<String, Setting> settings) {
        parse(file).root().forEach((name, value) -> {
            String origin = "file " + file + ":" + value.origin().lineNumber();
            settings.put(name, new Setting(schema.require(name, origin), text(value), origin));
        });
    }

    private static Config parse(Path file) {
        if (!Files.isReadable(file)) {
            throw new ConfigException("configuration file '" + file + "': no such file, or not readable");
        }
        try {
            return ConfigFactory.parseFile(
                            file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false))
                    .resolve();
        } catch (com.typesafe.config.ConfigException e) {
            throw new ConfigException("configuration file " + oneLine(e), e);
        }
    }

    private static String oneLine(Exception e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
    }

    /** A list may be written as one, too: {@code zookeeper = ["a:2181", "b:2181"]}. */
    private static String text(ConfigValue value) {
        return value instanceof ConfigList list
                ? list.stream().map(Configuration::text).collect(Collectors.joining(","))
                : value.unwrapped() instanceof Map<?, ?> ? value.render() : String.valueOf(value.unwrapped());
    }

    private static void readEnvironment(
            ConfigSchema schema, Map<String, String> environment, Map<String, Setting> settings) {
        for (Key<?> key : schema.keys()) {
            String value = environment.get(key.environmentName());
            if (value != null) {
                settings.put(key.name(), new Setting(key, value, "environment " + key.environmentName()));
            }
        }
    }

    private static List<String> misspelled(ConfigSchema schema, Map<String, String> environment) {
        List<String> known = schema.keys().stream().map(Key::environmentName).toList();
        List<String> warnings = new ArrayList<>();
        environment.keySet().stream()
                .filter(name -> name.startsWith("ALBM_") && !known.contains(name) && !OF_THE_LAUNCHER.contains(name))
                .sorted()
                .forEach(name -> Nearest.to(name, known)
                        .ifPresent(near -> warnings.add("environment variable " + name
                                + " is no key of this role; did you mean " + near + "?")));
        return List.copyOf(warnings);
    }
}
