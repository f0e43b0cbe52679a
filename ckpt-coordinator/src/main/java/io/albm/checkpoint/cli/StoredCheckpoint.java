// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.Digests;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.core.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;

/** A complete checkpoint, read as a restart reads it: every byte is compared with its digest. Blocks. */
record StoredCheckpoint(StripedCheckpointFiles files, Committed entry) {
    /** @throws IOException if it cannot be read, or is not the one that was committed */
    Manifest manifest() throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        copy(entry.manifest(), entry.manifestSha256(), content);
        return Json.read(content.toByteArray(), Manifest.class);
    }

    /**
     * Writes a rank's state.
     *
     * @throws IOException if it cannot be read whole; what was written until then is no state
     */
    void copy(StoredUnit unit, OutputStream to) throws IOException {
        copy(unit.path(), unit.sha256(), to);
    }

    private void copy(String path, String sha256, OutputStream to) throws IOException {
        try (InputStream in = files.open(path)) {
            DigestOutputStream out = new DigestOutputStream(to, Digests.sha256());
            in.transferTo(out);
            String found = Digests.hex(out.getMessageDigest().digest());
            if (!found.equals(sha256)) {
                throw new IOException(path + " has SHA-256 " + found + ", expected " + sha256);
            }
        }
    }
}
