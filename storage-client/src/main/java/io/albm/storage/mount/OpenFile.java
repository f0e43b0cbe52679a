// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

/** What a handle of a file stands for: one that is read, or one that is on its way into the storage. */
sealed interface OpenFile permits FileReading, FileWriting {}
