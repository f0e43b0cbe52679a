// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.ABSENT;

import io.albm.core.proc.ProcText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The whole disks of {@code /proc/diskstats}: how busy the busiest is, and what all of them move.
 *
 * <p>The kernel lists every block device, so that a byte shows up once for the disk, once for its partition, and once
 * for each device mapper, RAID or loop device above it. {@link DiskFilter} leaves the ones at the bottom. Busy is that
 * of one disk, because one full disk stops a server whatever the other nine do.
 *
 * <p>A line is matched with the disk that stood there at the last sample; only a device that is new costs a look into
 * {@code /sys} and an object. Devices beyond {@value #MAX_DEVICES} do not count. Absent without any disk. For one thread.
 */
final class Disks {
    private static final int MAX_DEVICES = 4096;

    private final SampledFile diskstats;
    private final DiskFilter filter;
    private final List<Disk> known = new ArrayList<>();
    private boolean sampled;
    private long sampledAt;
    private double busiest;
    private double bytesPerSecond;

    private Disks(SampledFile diskstats, DiskFilter filter) {
        this.diskstats = diskstats;
        this.filter = filter;
    }

    static Disks open(KernelFiles files) throws IOException {
        return new Disks(
                files.proc("diskstats"), new DiskFilter(files.host().sys().resolve("block")));
    }

    /** The share of time in which the busiest disk had work. */
    CounterSource busy() {
        return nowNanos -> {
            update(nowNanos);
            return busiest;
        };
    }

    /** Bytes a second, read and written, of all disks. */
    CounterSource bytes() {
        return nowNanos -> {
            update(nowNanos);
            return bytesPerSecond;
        };
    }

    private void update(long nowNanos) throws IOException {
        if (sampled && sampledAt == nowNanos) {
            return;
        }
        ProcText text = diskstats.at(nowNanos);
        busiest = Double.NaN;
        bytesPerSecond = Double.NaN;
        int index = 0;
        int line = text.length() == 0 ? ABSENT : 0;
        for (; Disk.isDevice(text, line); line = text.nextLine(line)) {
            count(at(index++, text, line), text, line, nowNanos);
        }
        sampled = true;
        sampledAt = nowNanos;
    }

    private void count(Disk disk, ProcText text, int line, long nowNanos) {
        if (disk.isWhole()) {
            disk.update(text, line, nowNanos);
            busiest = Double.isNaN(busiest) ? disk.busy() : Math.max(busiest, disk.busy());
            bytesPerSecond =
                    Double.isNaN(bytesPerSecond) ? disk.bytesPerSecond() : bytesPerSecond + disk.bytesPerSecond();
        }
    }

    /** The device on that line; the order stays until one comes or goes. */
    private Disk at(int index, ProcText text, int line) throws IOException {
        if (index < known.size() && known.get(index).isOn(text, line)) {
            return known.get(index);
        }
        Disk found = find(text, line);
        known.remove(found);
        known.add(Math.min(index, known.size()), found);
        if (known.size() > MAX_DEVICES) {
            known.removeLast();
        }
        return found;
    }

    private Disk find(ProcText text, int line) {
        for (Disk disk : known) {
            if (disk.isOn(text, line)) {
                return disk;
            }
        }
        String name = Disk.name(text, line);
        return new Disk(name, filter.isWhole(name));
    }
}
