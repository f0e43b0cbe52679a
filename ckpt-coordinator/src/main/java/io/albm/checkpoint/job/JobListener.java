// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

/** Hears what happens to a job. Called from several threads. */
@FunctionalInterface
public interface JobListener {
    void on(JobProgress progress);
}
