// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.regex.Pattern;

/** Where a job's records are in the coordination store, and its files in the striped store. */
public record JobPaths(String job) {
    /** Parent of all jobs. */
    public static final String JOBS = "/jobs";

    private static final String RUNS = "/runs";

    private static final String FILES = "/checkpoints";

    private static final String PACK = ".pack";

    private static final String MANIFEST = "manifest-";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    /** The {@link JobSpec}. */
    public String spec() {
        return JOBS + "/" + job;
    }

    /** The number that the next checkpoint gets. */
    public String next() {
        return spec() + "/next";
    }

    /** The newest complete checkpoint. */
    public String latest() {
        return spec() + "/latest";
    }

    /** Its presence says that the job ended well. */
    public String finished() {
        return spec() + "/finished";
    }

    /** Changed to ask for a checkpoint. */
    public String trigger() {
        return spec() + "/trigger";
    }

    /** {@link Marks}. */
    public String marks() {
        return spec() + "/marks";
    }

    /** Its presence asks for one more checkpoint, after which the job is to end. */
    public String halt() {
        return spec() + "/halt";
    }

    /** {@link Aborted}. */
    public String aborted() {
        return spec() + "/aborted";
    }

    /** A {@link Verification} for each number that was read whole. */
    public String verified() {
        return spec() + "/verified";
    }

    /** Ephemeral: where the job's supervisor listens. */
    public String supervisor() {
        return spec() + "/supervisor";
    }

    /** Its version counts the supervisors that have registered. It stays when the job is removed. */
    public String runs() {
        return RUNS + "/" + job;
    }

    /** Where that was counted before it stayed. */
    String earlierRuns() {
        return spec() + "/runs";
    }

    /** {@link RankHosts}. */
    public String hosts() {
        return spec() + "/hosts";
    }

    public String allInflight() {
        return spec() + "/inflight";
    }

    public String inflight(long number) {
        return allInflight() + "/" + number;
    }

    public String allCommitted() {
        return spec() + "/committed";
    }

    public String committed(long number) {
        return allCommitted() + "/" + number;
    }

    /** Parent of the {@link DrainRecord}s. */
    public String drains() {
        return spec() + "/drains";
    }

    public String drain(long number) {
        return drains() + "/" + number;
    }

    /** Prefix of every file of the job. */
    public String files() {
        return FILES + "/" + job + "/";
    }

    /** Prefix of every file of one checkpoint. */
    public String files(long number) {
        return files() + number + "/";
    }

    /** Which pages one rank's state is made of. */
    public String index(long number, int rank) {
        return files(number) + "rank-" + rank + ".index";
    }

    /** Pages that one rank stored first. */
    public String pack(PackId pack) {
        return files(pack.checkpoint()) + "rank-" + pack.rank() + PACK;
    }

    /** Whether a file has pages that other checkpoints may need. */
    public boolean isPack(String file) {
        return file.endsWith(PACK);
    }

    /** A leader writes its own manifest: two never meet in one name. */
    public String manifest(long number, long epoch) {
        return files(number) + MANIFEST + epoch + ".json";
    }

    /** Whether some leader has written this file as a manifest. */
    public boolean isManifest(String file) {
        return file.startsWith(MANIFEST, file.lastIndexOf('/') + 1);
    }

    /** The checkpoint that a file belongs to; 0 if it is none of this job's. */
    public long numberOf(String file) {
        int end = file.startsWith(files()) ? file.indexOf('/', files().length()) : -1;
        String number = end < 0 ? "" : file.substring(files().length(), end);
        return NUMBER.matcher(number).matches() ? Long.parseLong(number) : 0;
    }
}
