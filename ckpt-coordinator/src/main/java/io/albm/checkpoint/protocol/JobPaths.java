// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/** Where a job's records are in the coordination store, and its files in the striped store. */
public record JobPaths(String job) {
    /** Parent of all jobs. */
    public static final String JOBS = "/jobs";

    private static final String RUNS = "/runs";

    private static final String FILES = "/checkpoints";

    private static final String PACK = ".pack";

    private static final String MANIFEST = "manifest-";
    /** Of a number: as many as a long has room for. */
    private static final int MOST_DIGITS = 18;

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
        int begin = FILES.length() + job.length() + 2;
        boolean isOurs = file.startsWith(FILES + "/")
                && file.startsWith(job, FILES.length() + 1)
                && file.startsWith("/", begin - 1);
        int end = isOurs ? file.indexOf('/', begin) : -1;
        return end > begin && end <= begin + MOST_DIGITS ? number(file, begin, end) : 0;
    }

    /** A listing has many names: no exception for those that have something else there. */
    private static long number(String file, int begin, int end) {
        long number = 0;
        for (int at = begin; at < end; at++) {
            int digit = file.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
