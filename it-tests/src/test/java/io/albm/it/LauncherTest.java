// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.it.Albm.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher does without any JVM. */
class LauncherTest {
    @TempDir
    private Path directory;

    private Albm albm = Albm.in(Path.of("."));

    @BeforeEach
    void hideEveryJvm() {
        albm = Albm.in(directory)
                .with("JAVA_HOME", "")
                .with("PATH", "/usr/bin:/bin")
                .with("ALBM_JVM_DIRS", directory.resolve("jvm").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "--help", "-h", "help", "help run", "run --help", "config --help", "build --help", "test -h"
            })
    void helpNeedsNoJvm(String arguments) throws Exception {
        Result result = albm.run(arguments.isEmpty() ? new String[0] : arguments.split(" "));
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("SYNOPSIS", "EXIT STATUS");
        assertThat(result.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"stauts,status", "strorage,storage", "dwon,down", "Top,top", "exp,experiment"})
    void suggestsTheNearestCommand(String typed, String meant) throws Exception {
        Result result = albm.run(typed);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo(
                        "albm: unknown command '" + typed + "'; did you mean '" + meant + "'? (see 'albm --help')\n");
    }

    @Test
    void staysSilentWhenNoCommandIsNear() throws Exception {
        Result result = albm.run("xyzzy");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("albm: unknown command 'xyzzy' (see 'albm --help')\n");
    }

    @Test
    void suggestsTheNearestRole() throws Exception {
        Result result = albm.run("run", "cache-sever");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("unknown role 'cache-sever'; did you mean 'cache-server'?");
    }

    @Test
    void runWithoutRoleNamesTheRoles() throws Exception {
        Result result = albm.run("run");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("agent", "coordinator", "zookeeper").hasLineCount(1);
    }

    @Test
    void saysWhichJvmsItLookedAtWhenNoneFits() throws Exception {
        jvm("old", "17.0.9");
        jvm("new", "26.0.1");
        Result result = albm.with("JAVA_HOME", "/nonexistent").run("status");
        assertThat(result.exitCode()).isEqualTo(78);
        assertThat(result.err())
                .contains("no JDK 25 found", "/nonexistent (no JDK, from JAVA_HOME)", "old (17.0.9", "new (26.0.1");
    }

    @Test
    void takesTheFirstJdkThatFits() throws Exception {
        jvm("a", "24.0.2");
        jvm("b", "25.0.1");
        Result result = albm.run("version");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("Java 25.0.1 (" + directory.resolve("jvm/b") + ")");
    }

    @Test
    void buildRefusesAModuleThatIsNone() throws Exception {
        jvm("b", "25");
        Result result = albm.run("build", "consol");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("unknown module 'consol'; did you mean 'console'?");
    }

    /** A build for use leaves out Error Prone, even if it was interrupted, and a test is not to take its classes for checked ones. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aTestCompilesAgainWhatABuildForUseHasCompiled(int endOfTheBuild) throws Exception {
        jvm("b", "25");
        Path checkout = checkout();
        Path checked = compiled(checkout, "albm-core");
        Files.setLastModifiedTime(checked, FileTime.from(Instant.now().minusSeconds(60)));
        Path unchecked = compiled(checkout, "console");
        // A real Maven takes longer than the clock of a file's time takes to its next tick.
        program("maven/mvn", """
                case " $* " in
                    *' package '*)
                        touch -d 'next minute' console/target/classes/A.class
                        touch console/target/console-all.jar
                        exit %d ;;
                esac
                """.formatted(endOfTheBuild));
        albm = albm.of(checkout).with("PATH", directory.resolve("maven") + ":/usr/bin:/bin");

        Result build = albm.run("build", "console");
        assertThat(build.exitCode()).as(build.err()).isEqualTo(endOfTheBuild == 0 ? 0 : 1);
        assertThat(unchecked).exists();

        Result test = albm.run("test");
        assertThat(test.exitCode()).as(test.err()).isZero();
        assertThat(unchecked).doesNotExist();
        assertThat(checked).exists();
    }

    /** It would be green for who trusts the exit code, and a stale JAR would be fresh from then on. */
    @Test
    void withoutMavenNothingIsTestedOrBuilt() throws Exception {
        jvm("b", "25");
        Path checkout = checkout();
        Path stale = Files.createFile(
                Files.createDirectories(checkout.resolve("console/target")).resolve("console-all.jar"));
        FileTime old = FileTime.from(Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.SECONDS));
        Files.setLastModifiedTime(stale, old);
        Files.createFile(checkout.resolve("pom.xml"));
        albm = albm.of(checkout).with("PATH", everythingButMaven().toString());

        for (String command : new String[] {"test", "build console"}) {
            Result result = albm.run(command.split(" "));
            assertThat(result.exitCode()).as(command + ": " + result.err()).isEqualTo(78);
            assertThat(result.err()).contains("no Maven on PATH");
        }
        assertThat(Files.getLastModifiedTime(stale)).isEqualTo(old);
    }

    private Path everythingButMaven() throws IOException {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        try (Stream<Path> installed = Files.list(Path.of("/usr/bin"))) {
            for (Path program : installed.toList()) {
                if (!program.endsWith("mvn")) {
                    Files.createSymbolicLink(programs.resolve(program.getFileName()), program);
                }
            }
        }
        return programs;
    }

    private Path checkout() throws IOException {
        Path checkout = Files.createDirectory(directory.resolve("checkout"));
        Files.copy(Albm.home().resolve("albm"), checkout.resolve("albm"), StandardCopyOption.COPY_ATTRIBUTES);
        return checkout;
    }

    private static Path compiled(Path checkout, String module) throws IOException {
        return Files.createFile(Files.createDirectories(checkout.resolve(module + "/target/classes"))
                .resolve("A.class"));
    }

    /** A JDK as the launcher recognises it: the two programs, and the release file with the version. */
    private void jvm(String name, String version) throws IOException {
        String home = "jvm/" + name;
        for (String program : new String[] {"java", "javac"}) {
            program(home + "/bin/" + program, "exit 99\n");
        }
        Files.writeString(
                directory.resolve(home).resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
    }

    private void program(String name, String script) throws IOException {
        Path program = directory.resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }
}
