// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.compare.Tools;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Pod;
import io.albm.bench.process.ProcessGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** NFS-Ganesha over a directory, NFS 4 alone; asked by libnfs, as not every kernel has a client. */
final class Ganesha implements Peer {
    static final String NAME = "nfs-ganesha";

    /** What {@code nfs-ls} and our own client take. */
    private static final String URL = "nfs://" + Pod.ADDRESS + "/export";

    @Override
    public List<String> volumes() {
        return List.of(NAME);
    }

    @Override
    public List<String> programs() {
        return List.of("ganesha.nfsd", "nfs-ls");
    }

    @Override
    public String packages() {
        return "nfs-ganesha nfs-ganesha-vfs libnfs-utils";
    }

    @Override
    public String version() throws IOException {
        return Tools.version("ganesha.nfsd", "-v");
    }

    @Override
    public List<Volume> start(ProcessGroup processes, Path directory) throws IOException {
        Path export = Files.createDirectory(directory.resolve("export"));
        Path recovery = Files.createDirectory(directory.resolve("recovery"));
        Path file = Files.writeString(directory.resolve("ganesha.conf"), configuration(export, recovery));
        Pod pod = Pod.start(processes, "nfs", "mount -t tmpfs none /run; mkdir /run/ganesha");
        ChildProcess server = pod.start(
                "ganesha",
                List.of(
                        "ganesha.nfsd",
                        "-F",
                        "-f",
                        file.toString(),
                        "-L",
                        directory.resolve("log").toString(),
                        "-p",
                        directory.resolve("pid").toString()));
        pod.awaitSuccess(server, "nfs-ls", URL + "?version=4");
        return List.of(new Volume(NAME, Volume.Kind.NFS, URL, pod.enter()));
    }

    static String configuration(Path export, Path recovery) {
        return """
                NFS_CORE_PARAM {
                  Protocols = 4;
                  NFS_Port = 2049;
                  Enable_NLM = false;
                  Enable_RQUOTA = false;
                  Enable_UDP = false;
                }
                NFSv4 {
                  Graceless = true;
                  RecoveryBackend = fs;
                  RecoveryRoot = %s;
                }
                EXPORT {
                  Export_Id = 1;
                  Path = %s;
                  Pseudo = /export;
                  Protocols = 4;
                  Transports = TCP;
                  Access_Type = RW;
                  Squash = No_Root_Squash;
                  SecType = sys;
                  FSAL { Name = VFS; }
                }
                LOG { Default_Log_Level = WARN; }
                """.formatted(recovery, export);
    }
}
