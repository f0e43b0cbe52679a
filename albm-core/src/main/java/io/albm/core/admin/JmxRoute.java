// SPDX-License-Identifier: Apache-2.0
package io.albm.core.admin;

import io.albm.core.web.WebHandler;
import io.albm.core.web.WebRequest;
import io.albm.core.web.WebResponse;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jolokia.json.JSONStructure;
import org.jolokia.server.core.config.ConfigKey;
import org.jolokia.server.core.config.StaticConfiguration;
import org.jolokia.server.core.http.HttpRequestHandler;
import org.jolokia.server.core.request.BadRequestException;
import org.jolokia.server.core.request.EmptyResponseException;
import org.jolokia.server.core.service.JolokiaServiceManagerFactory;
import org.jolokia.server.core.service.api.JolokiaServiceManager;
import org.jolokia.service.jmx.LocalRequestHandler;
import org.jolokia.service.serializer.JolokiaSerializer;

/**
 * JMX over HTTP: Jolokia without a servlet container. Its two services are named here instead of being looked up from
 * files on the class path, which a fat JAR would have to merge; the detectors of application servers stay out.
 */
final class JmxRoute implements WebHandler, AutoCloseable {

    private static final String PREFIX = "/jmx";
    private static final int REQUEST_HANDLER_ORDER = 1000;

    private final JolokiaServiceManager services;
    private final HttpRequestHandler handler;

    JmxRoute() {
        var configuration = new StaticConfiguration(Map.of(
                ConfigKey.AGENT_ID.getKeyValue(),
                        "albm-" + ProcessHandle.current().pid(),
                ConfigKey.DISCOVERY_ENABLED.getKeyValue(), "false",
                ConfigKey.INCLUDE_STACKTRACE.getKeyValue(), "false",
                ConfigKey.MAX_OBJECTS.getKeyValue(), "20000"));
        services = JolokiaServiceManagerFactory.createJolokiaServiceManager(
                configuration, new JmxLog(), new ReadOnlyRestrictor(), _ -> new TreeSet<>());
        services.addService(new LocalRequestHandler(REQUEST_HANDLER_ORDER));
        services.addService(new JolokiaSerializer());
        handler = new HttpRequestHandler(services.start());
    }

    @Override
    public WebResponse handle(WebRequest request) throws Exception {
        if (request.origin().isPresent()) {
            return WebResponse.text(403, "JMX is not served to web pages of another origin\n");
        }
        try {
            return WebResponse.jsonText(200, answer(request).toJSONString() + "\n");
        } catch (BadRequestException e) {
            return WebResponse.text(400, "no Jolokia request: " + e.getMessage() + "\n");
        } catch (EmptyResponseException e) {
            return WebResponse.text(400, "notifications are not served\n");
        }
    }

    @Override
    public void close() {
        services.stop();
    }

    private JSONStructure answer(WebRequest request) throws Exception {
        var path = request.path().substring(PREFIX.length());
        var query = new HashMap<String, String[]>();
        request.query().forEach((name, values) -> query.put(name, values.toArray(String[]::new)));
        return request.method().equals("POST")
                ? handler.handlePostRequest(
                        path, new ByteArrayInputStream(request.body().getBytes(StandardCharsets.UTF_8)), "UTF-8", query)
                : handler.handleGetRequest(path, path, query);
    }
}
