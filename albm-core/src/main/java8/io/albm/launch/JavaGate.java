// SPDX-License-Identifier: Apache-2.0
package io.albm.launch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.Enumeration;
import java.util.jar.Manifest;

/**
 * The first class of every fat JAR. Compiled for Java 8, so that a JVM that is too old for ALBM says so in one line
 * instead of throwing {@code UnsupportedClassVersionError}.
 */
public final class JavaGate {
    /** EX_CONFIG of sysexits.h: bad configuration, or the wrong Java. */
    private static final int EXIT_CONFIG = 78;

    private static final int REQUIRED_JAVA = 25;

    private JavaGate() {}

    /**
     * Hands over to the class that the JAR's manifest names as {@code Albm-Main-Class}, or exits with 78 on a JVM that
     * is too old.
     *
     * @param args handed over unchanged
     * @throws Throwable what the role's main throws
     */
    public static void main(String[] args) throws Throwable {
        int running = feature(System.getProperty("java.specification.version"));
        if (running < REQUIRED_JAVA) {
            System.err.println("albm: needs Java " + REQUIRED_JAVA + ", but this is Java " + running + " ("
                    + System.getProperty("java.home") + "); start it with ./albm, which finds a JDK " + REQUIRED_JAVA
                    + ", or with JAVA_HOME/bin/java of one");
            System.exit(EXIT_CONFIG);
        }
        Method main = Class.forName(mainClass()).getMethod("main", String[].class);
        try {
            main.invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Java 8 calls itself 1.8. */
    private static int feature(String specificationVersion) {
        String version =
                specificationVersion.startsWith("1.") ? specificationVersion.substring(2) : specificationVersion;
        int dot = version.indexOf('.');
        return Integer.parseInt(dot < 0 ? version : version.substring(0, dot));
    }

    private static String mainClass() throws IOException {
        Enumeration<URL> manifests = JavaGate.class.getClassLoader().getResources("META-INF/MANIFEST.MF");
        while (manifests.hasMoreElements()) {
            try (InputStream in = manifests.nextElement().openStream()) {
                String name = new Manifest(in).getMainAttributes().getValue("Albm-Main-Class");
                if (name != null) {
                    return name;
                }
            }
        }
        throw new IllegalStateException("no Albm-Main-Class in any manifest: this is not an ALBM fat JAR");
    }
}
