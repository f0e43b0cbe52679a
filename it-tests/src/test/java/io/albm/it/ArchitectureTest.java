// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows of docs/architecture.md. A rule that stands in the way is changed there and here, with its reason. */
@AnalyzeClasses(
        packages = "io.albm",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
final class ArchitectureTest {
    /** In a full build the tests of core come as a JAR, which ArchUnit does not take for tests. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String CORE = "io.albm.core..";
    private static final String STORAGE_NODE = "io.albm.storage.node..";
    private static final String STORAGE_COMMAND = "io.albm.storage.command..";

    private static final DescribedPredicate<JavaClass> STORAGE_CLIENT = resideInAPackage("io.albm.storage..")
            .and(DescribedPredicate.not(resideInAnyPackage(STORAGE_NODE, STORAGE_COMMAND)))
            .as("the storage client");

    private static final DescribedPredicate<JavaClass> HAVE_A_MAIN = DescribedPredicate.describe(
            "have a main", type -> type.tryGetMethod("main", String[].class).isPresent());

    @ArchTest
    static final ArchRule ROLES_DO_NOT_MEET = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("io.albm..")
            .withOptionalLayers(true)
            .layer("core")
            .definedBy(CORE)
            .layer("agent")
            .definedBy("io.albm.agent..")
            .layer("distributor")
            .definedBy("io.albm.distributor..")
            .layer("placement")
            .definedBy("io.albm.placement..")
            .layer("cache")
            .definedBy("io.albm.cache..")
            .layer("storage client")
            .definedBy(STORAGE_CLIENT)
            .layer("storage node")
            .definedBy(STORAGE_NODE, STORAGE_COMMAND)
            .layer("checkpoint")
            .definedBy("io.albm.checkpoint..")
            .layer("console")
            .definedBy("io.albm.console..")
            .layer("bench")
            .definedBy("io.albm.bench..")
            .layer("examples")
            .definedBy("io.albm.examples..")
            .whereLayer("agent")
            .mayOnlyBeAccessedByLayers("bench")
            .whereLayer("distributor")
            .mayOnlyBeAccessedByLayers("bench")
            .whereLayer("placement")
            .mayOnlyBeAccessedByLayers("bench")
            .whereLayer("cache")
            .mayOnlyBeAccessedByLayers("bench")
            .whereLayer("storage client")
            .mayOnlyBeAccessedByLayers("storage node", "checkpoint", "cache", "bench")
            .whereLayer("storage node")
            .mayOnlyBeAccessedByLayers("bench")
            .whereLayer("checkpoint")
            .mayOnlyBeAccessedByLayers("examples", "bench")
            .whereLayer("console")
            .mayOnlyBeAccessedByLayers("bench")
            .whereLayer("examples")
            .mayOnlyBeAccessedByLayers("bench")
            .whereLayer("bench")
            .mayNotBeAccessedByAnyLayer()
            .because("a role is deployed, restarted and replaced by itself: it meets others over the wire and in the"
                    + " directory, never in a class path");

    @ArchTest
    static final ArchRule CORE_KNOWS_NO_ROLE = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat(resideInAPackage("io.albm..")
                    .and(DescribedPredicate.not(resideInAnyPackage(CORE, "io.albm.launch.."))))
            .because("every module builds on core: an arrow back would be a circle of modules");

    @ArchTest
    static final ArchRule ZOOKEEPER_IN_ONE_PACKAGE = noClasses()
            .that()
            .resideOutsideOfPackage("io.albm.core.zookeeper")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..")
            .because(
                    "sessions, retries and unknown outcomes are decided once; everybody else sees io.albm.core.cluster,"
                            + " which the simulator can stand in for");

    @ArchTest
    static final ArchRule CLUSTER_IS_A_SEAM = noClasses()
            .that()
            .resideInAPackage("io.albm.core.cluster")
            .should()
            .dependOnClassesThat(resideInAPackage("io.albm..")
                    .and(DescribedPredicate.not(resideInAnyPackage("io.albm.core.cluster", "io.albm.core.node"))))
            .because("the seam between decisions and ZooKeeper knows neither side");

    @ArchTest
    static final ArchRule DECISIONS_ARE_PURE = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.albm.distributor.routing..",
                    "io.albm.cache.policy..",
                    "io.albm.placement.policy..",
                    "io.albm.checkpoint.protocol..",
                    "io.albm.checkpoint.savings..",
                    "io.albm.checkpoint.strategy..",
                    "io.albm.core.node..",
                    "io.albm.core.time..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.netty..",
                    "io.albm.core.net..",
                    "io.albm.core.wire..",
                    "io.albm.core.zookeeper..",
                    "java.net.http..")
            .because("production, benchmarks and the seeded simulation run the same policies, without a network");

    @ArchTest
    static final ArchRule DECISIONS_GET_THE_TIME = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.albm.distributor.routing..",
                    "io.albm.cache.policy..",
                    "io.albm.placement.policy..",
                    "io.albm.checkpoint.protocol..",
                    "io.albm.checkpoint.savings..",
                    "io.albm.checkpoint.strategy..")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(Math.class, "random")
            .because("a decision that reads the clock or rolls dice itself cannot be replayed from a seed");

    @ArchTest
    static final ArchRule NO_PACKAGE_CYCLES = slices().matching("io.albm.(**)")
            .should()
            .beFreeOfCycles()
            .because("packages that need each other are one package in two places");

    @ArchTest
    static final ArchRule NO_SYSTEM_EXIT = noClasses()
            .that()
            .resideOutsideOfPackages("io.albm.core.cli..", "io.albm.launch..")
            .and(DescribedPredicate.not(HAVE_A_MAIN))
            .should()
            .callMethod(System.class, "exit", int.class)
            .because("one place turns the outcome of a command into an exit code; a library that exits takes its tests"
                    + " along");

    @ArchTest
    static final ArchRule ONE_WAY_TO_LOG = noClasses()
            .that()
            .resideOutsideOfPackage("io.albm.core.log")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.logging..", "ch.qos.logback..", "org.apache.logging..")
            .because("code logs to slf4j; how lines look and where they go is decided in io.albm.core.log");

    @ArchTest
    static final ArchRule MAINS_ARE_FACES = classes()
            .that()
            .haveSimpleNameEndingWith("Main")
            .should()
            .bePublic()
            .andShould()
            .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL)
            .because("the manifest of a fat JAR names it, and nobody else uses it");
}
