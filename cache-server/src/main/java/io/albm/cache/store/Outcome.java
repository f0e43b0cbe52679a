// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

/** What became of a request for a document. */
public sealed interface Outcome {

    /** It is in memory. The receiver holds one reference and releases it. */
    record Found(Document document) implements Outcome {}

    /** It is too large to cache, or memory is short: it must be streamed. */
    record Large(LargeDocument document) implements Outcome {}

    /** There is no such document, or none that may be served. */
    record Missing() implements Outcome {}

    /** The path names a directory; with a slash behind it, it names the directory's index. */
    record IsDirectory() implements Outcome {}

    /** A bound is reached: the queue of reads or the memory in transit. Worth a retry, here or elsewhere. */
    record Busy() implements Outcome {}

    /** The document could not be read. */
    record Failed(Throwable cause) implements Outcome {}
}
