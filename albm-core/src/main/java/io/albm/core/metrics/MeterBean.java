// SPDX-License-Identifier: Apache-2.0
package io.albm.core.metrics;

import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import javax.management.RuntimeOperationsException;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a process as one MBean of open types, one attribute each, read-only. Attributes appear as their meters are
 * made, and some of them go again.
 */
final class MeterBean implements DynamicMBean {
    private static final long SEEN_FOR_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Map<String, DoubleSupplier> attributes = new ConcurrentSkipListMap<>();
    private final List<Consumer<Map<String, Double>>> changing = new CopyOnWriteArrayList<>();
    private final ObjectName name;
    private volatile @Nullable Seen seen;

    /** Values that come and go, as they were a moment ago: readers ask for one after the other. */
    private record Seen(Map<String, Double> values, long atNanos) {}

    private MeterBean(ObjectName name) {
        this.name = name;
    }

    /** Registers with the platform's MBean server as {@code io.albm:type=CacheServer,id=cache-1}. */
    static MeterBean register(Role role, NodeId id) {
        try {
            var bean = new MeterBean(new ObjectName("io.albm:type=" + typeName(role) + ",id=" + id));
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, bean.name);
            return bean;
        } catch (JMException e) {
            throw new IllegalStateException("cannot register the MBean of " + role + " " + id, e);
        }
    }

    void unregister() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException e) {
            throw new IllegalStateException("cannot unregister " + name, e);
        }
    }

    void add(String attribute, DoubleSupplier value) {
        attributes.put(attribute, value);
    }

    /** Adds attributes that come and go; they are asked for at each read. */
    void add(Consumer<Map<String, Double>> source) {
        changing.add(source);
        seen = null;
    }

    private Map<String, Double> changing() {
        var last = seen;
        long now = System.nanoTime();
        if (last != null && now - last.atNanos < SEEN_FOR_NANOS) {
            return last.values;
        }
        var values = new TreeMap<String, Double>();
        changing.forEach(source -> source.accept(values));
        seen = new Seen(values, now);
        return values;
    }

    int size() {
        return attributes.size();
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
        var value = attributes.get(attribute);
        Double read = value == null ? changing().get(attribute) : Double.valueOf(value.getAsDouble());
        if (read == null) {
            throw new AttributeNotFoundException(attribute);
        }
        return read;
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        var list = new AttributeList();
        var now = changing();
        for (var attribute : names) {
            var value = attributes.get(attribute);
            Double read = value == null ? now.get(attribute) : Double.valueOf(value.getAsDouble());
            if (read != null) {
                list.add(new Attribute(attribute, read));
            }
        }
        return list;
    }

    @Override
    public void setAttribute(Attribute attribute) {
        throw readOnly();
    }

    @Override
    public AttributeList setAttributes(AttributeList list) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] arguments, String[] signature) {
        throw readOnly();
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        var infos = Stream.concat(attributes.keySet().stream(), changing().keySet().stream())
                .map(attribute -> new MBeanAttributeInfo(attribute, "double", attribute, true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(MeterBean.class.getName(), "Meters of this process", infos, null, null, null);
    }

    private static RuntimeException readOnly() {
        return new RuntimeOperationsException(new UnsupportedOperationException("meters are read-only"));
    }

    private static String typeName(Role role) {
        return Arrays.stream(role.id().split("-", -1))
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }
}
