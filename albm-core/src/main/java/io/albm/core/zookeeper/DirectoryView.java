// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.cluster.View;
import io.albm.core.node.NodeId;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The children of a node, each parsed, as a map that follows them.
 *
 * <p>An event never changes the map by itself: it makes this view read the child again. A process whose session expired
 * deletes its old node and creates the new one in one transaction; by the time that the deletion is told, the read
 * already finds the new node, so the process does not drop out of the map for a moment, as it would in a cache that
 * follows events. After a break of the connection the whole directory is read once, and the last map stays until that is
 * complete.
 *
 * <p>Costs one read for each change of a child, and one read for each child at each new connection. All state belongs to
 * the dispatcher thread.
 *
 * @param <T> what a child's content is parsed to
 */
final class DirectoryView<T> {
    private static final Logger log = LoggerFactory.getLogger(DirectoryView.class);

    private final Directory directory;
    private final Dispatcher dispatcher;
    private final String path;
    private final BiFunction<NodeId, byte[], T> parse;
    private final LastValue<Map<NodeId, T>> view;
    private final Map<NodeId, T> children = new TreeMap<>();
    private final Set<String> touched = ConcurrentHashMap.newKeySet();
    private final JoinedCalls readTouched;
    private final JoinedCalls publish;
    private long refresh;
    private int refreshReads;

    DirectoryView(Directory directory, Dispatcher dispatcher, String path, BiFunction<NodeId, byte[], T> parse) {
        this.directory = directory;
        this.dispatcher = dispatcher;
        this.path = path;
        this.parse = parse;
        this.view = new LastValue<>(dispatcher, Map.of());
        this.readTouched = new JoinedCalls(dispatcher, this::readTouched);
        this.publish = new JoinedCalls(dispatcher, this::publish);
    }

    View<Map<NodeId, T>> follow(Watches watches) {
        watches.watch(path, this::touched, () -> dispatcher.execute(this::refresh));
        return view;
    }

    private void touched(String below) {
        if (below.lastIndexOf('/') == 0) {
            touched.add(below.substring(1));
            readTouched.request();
        }
    }

    private void readTouched() {
        List<String> names = List.copyOf(touched);
        names.forEach(touched::remove);
        ids(names).forEach(id -> read(id, () -> {}));
    }

    private void refresh() {
        long turn = ++refresh;
        directory.children(path).thenAcceptAsync(names -> refresh(ids(names), turn), dispatcher);
    }

    private void refresh(Set<NodeId> ids, long turn) {
        if (turn != refresh) {
            return;
        }
        children.keySet().retainAll(ids);
        refreshReads = ids.size();
        ids.forEach(id -> read(id, () -> refreshReads -= turn == refresh ? 1 : 0));
        publish.request();
    }

    /** A read that failed leaves the refresh incomplete: the connection broke, and the next one refreshes again. */
    private void read(NodeId id, Runnable done) {
        directory
                .read(path + "/" + id)
                .thenAcceptAsync(
                        node -> {
                            node.ifPresentOrElse(found -> put(id, found.data()), () -> children.remove(id));
                            done.run();
                            publish.request();
                        },
                        dispatcher);
    }

    private void put(NodeId id, byte[] content) {
        try {
            children.put(id, parse.apply(id, content));
        } catch (RuntimeException e) {
            log.warn("{}/{} is left out: {}", path, id, e.getMessage());
            children.remove(id);
        }
    }

    /** Not in the middle of reading a directory anew: the last complete map is the better one. */
    private void publish() {
        if (refreshReads == 0) {
            view.set(Collections.unmodifiableMap(new TreeMap<>(children)));
        }
    }

    private static Set<NodeId> ids(Collection<String> names) {
        return names.stream().flatMap(DirectoryView::id).collect(Collectors.toSet());
    }

    private static Stream<NodeId> id(String name) {
        try {
            return Stream.of(new NodeId(name));
        } catch (IllegalArgumentException notOurs) {
            return Stream.empty();
        }
    }
}
