// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is whole and what is not, with a shell that writes as programs do. */
@Timeout(30)
class HandoverDirectoryTest {
    @TempDir
    private Path directory = Path.of("");

    private final List<String> found = new ArrayList<>();
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void kill() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void takesWhatWasRenamedInTheOrderOfStepsAndNothingElse() throws Exception {
        HandoverDirectory states = new HandoverDirectory(directory, StepNames.STEP, false, ProcessHandle.current());
        Files.writeString(directory.resolve("100.tmp"), "half");
        Files.writeString(directory.resolve("notes"), "nothing");
        states.scan(this::take);
        assertThat(found).isEmpty();
        Files.createDirectory(directory.resolve("200"));
        Files.move(directory.resolve("100.tmp"), directory.resolve("100"));
        states.scan(this::take);
        assertThat(found).containsExactly("100 half", "200 directory");
    }

    @Test
    void whatIsLeftThereIsNotFoundAgainButAnotherOfItsNameIs() throws Exception {
        HandoverDirectory states = new HandoverDirectory(directory, StepNames.STEP, false, ProcessHandle.current());
        Files.writeString(directory.resolve("100"), "refused");
        states.scan((step, state) -> found.add("left " + step));
        Files.writeString(directory.resolve("200"), "later");
        states.scan(this::take);
        assertThat(found).containsExactly("left 100", "200 later");
        Files.writeString(directory.resolve("100.tmp"), "another");
        Files.move(directory.resolve("100.tmp"), directory.resolve("100"), REPLACE_EXISTING);
        states.scan(this::take);
        assertThat(found).endsWith("100 another");
    }

    @Test
    void whatGetsTheNameOfAStateThatIsBeingTakenIsFound() throws Exception {
        HandoverDirectory states = new HandoverDirectory(directory, StepNames.STEP, false, ProcessHandle.current());
        Files.writeString(directory.resolve("100"), "first");
        states.scan((step, state) -> replace(state));
        states.scan(this::take);
        assertThat(found).containsExactly("100 second");
    }

    @Test
    void aFileWrittenInPlaceIsTakenWhenItsLivingWriterHasClosedIt() throws Exception {
        Shell shell = new Shell("exec 3> restart.100; echo half >&3", "echo whole >&3; exec 3>&-", ":");
        HandoverDirectory states = inPlace(shell.process);
        shell.next();
        states.scan(this::take);
        assertThat(found).isEmpty();
        assertThat(states.isBeingWritten()).isTrue();
        shell.next();
        states.scan(this::take);
        assertThat(found).containsExactly("100 half\nwhole\n");
    }

    @Test
    void aFileWhoseWriterWasKilledIsNeverTaken() throws Exception {
        Shell shell = new Shell("exec 3> restart.100; echo half >&3", ":");
        HandoverDirectory states = inPlace(shell.process);
        shell.next();
        states.scan(this::take);
        shell.process.destroyForcibly().waitFor();
        states.scan(this::take);
        states.scan(this::take);
        assertThat(found).isEmpty();
    }

    @Test
    void aFileThatNobodyWasSeenWritingWaitsForTheNextOne() throws Exception {
        Shell shell = new Shell("echo whole > restart.100", "exec 3> restart.200; echo half >&3", ":");
        HandoverDirectory states = inPlace(shell.process);
        shell.next();
        states.scan(this::take);
        assertThat(found).isEmpty();
        shell.next();
        states.scan(this::take);
        assertThat(found).containsExactly("100 whole\n");
    }

    @Test
    void seesTheFilesOfTheProcessesThatARankStarted() throws Exception {
        Shell shell = new Shell("sleep 1000 3> restart.100 & :", ":");
        HandoverDirectory states = inPlace(shell.process);
        shell.next();
        while (!states.isBeingWritten()) {
            states.scan(this::take);
        }
        assertThat(found).isEmpty();
        shell.process.descendants().forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void refusesPatternsThatDoNotSayWhereTheStepIs() {
        assertThatThrownBy(() -> new StepNames("restart")).hasMessageContainingAll("'restart'", "expected one *");
        assertThatThrownBy(() -> new StepNames("*.*")).hasMessageContaining("expected one *");
        assertThatThrownBy(() -> new StepNames("a/*")).hasMessageContaining("no /");
        assertThat(new StepNames("ckpt-*.h5").step("ckpt-0042.h5")).hasValue(42);
        assertThat(new StepNames("ckpt-*.h5").step("ckpt-0042.h5.tmp")).isEmpty();
    }

    private HandoverDirectory inPlace(Process rank) {
        return new HandoverDirectory(directory, new StepNames("restart.*"), true, rank.toHandle());
    }

    private void replace(Path state) {
        try {
            Files.move(state, directory.resolve("kept"));
            Files.writeString(state, "second");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(long step, Path state) {
        try {
            found.add(step + " " + (Files.isDirectory(state) ? "directory" : Files.readString(state)));
            Files.delete(state);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Does one thing after the other, each when told. */
    private final class Shell {
        private final Process process;
        private final OutputStream in;

        Shell(String... steps) throws IOException {
            process = new ProcessBuilder("sh", "-c", "read _; " + String.join("; echo done; read _; ", steps))
                    .directory(directory.toFile())
                    .start();
            started.add(process);
            in = process.getOutputStream();
        }

        void next() throws IOException {
            in.write('\n');
            in.flush();
            assertThat(process.inputReader().readLine()).isEqualTo("done");
        }
    }
}
