// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ways in which a line of a trace may name a document and its size. The first line that is a request in one of them
 * decides; formats that say more come first.
 */
enum TraceFormat {
    ACCESS_LOG("a line of an Apache or nginx access log, common or combined") {
        private static final String HOST_TO_TIME = "^\\S+ \\S+ .*?\\[[^]]+] ";
        private static final Pattern ANY = Pattern.compile(HOST_TO_TIME + "\".*");
        private static final Pattern GET =
                Pattern.compile(HOST_TO_TIME + "\"GET ([^ ?\"]+)[^\"]*\" (?:200|206|304) (\\d+|-)(?: .*)?$");

        @Override
        boolean add(String line, Trace.Builder trace) {
            if (!ANY.matcher(line).matches()) {
                return false;
            }
            Matcher get = GET.matcher(line);
            if (get.matches()) {
                trace.add(get.group(1), get.group(2).equals("-") ? 0 : Long.parseLong(get.group(2)));
            }
            return true;
        }
    },

    TIME_ID_SIZE("'time id size'") {
        private static final Pattern LINE = Pattern.compile("^\\S+[ \\t]+(\\S+)[ \\t]+(\\d{1,18})$");

        @Override
        boolean add(String line, Trace.Builder trace) {
            return addSized(LINE.matcher(line), trace);
        }
    },

    LIBCACHESIM_CSV("libCacheSim's CSV: 'time,id,size' and more numbers, with or without a head") {
        private static final Pattern HEAD =
                Pattern.compile("^[#\"]?[a-z_ ]*time[^,]*,.*(?:obj|id|key).*size.*", Pattern.CASE_INSENSITIVE);
        private static final Pattern LINE = Pattern.compile(
                "^\\s*-?[\\d.]+\\s*,\\s*\"?([^,\"]+?)\"?\\s*,\\s*(\\d{1,18})\\s*(?:,\\s*-?[\\d.]+\\s*)*$");

        @Override
        boolean add(String line, Trace.Builder trace) {
            return HEAD.matcher(line).matches() || addSized(LINE.matcher(line), trace);
        }
    },

    TWITTER("Twitter's, as Caffeine reads it: 'time,key,key size,value size,client,operation,ttl'") {
        private static final Pattern LINE = Pattern.compile(
                "^\\d+,(.+),\\d+,(\\d{1,18}),\\d+,(?:get|gets|set|add|replace|cas|append|prepend|delete|incr|decr),\\d+$");

        @Override
        boolean add(String line, Trace.Builder trace) {
            return addSized(LINE.matcher(line), trace);
        }
    },

    UMASS("UMass storage, as Caffeine reads it: 'unit,block,bytes,r|w,time'") {
        private static final Pattern LINE = Pattern.compile("^\\d+,(\\d+),(\\d{1,18}),[rRwW],[\\d.]+.*$");

        @Override
        boolean add(String line, Trace.Builder trace) {
            return addSized(LINE.matcher(line), trace);
        }
    },

    ARC("ARC's, as Caffeine reads it: 'first-block blocks 0 number', of 512 bytes each") {
        private static final Pattern LINE = Pattern.compile("^(\\d{1,18}) (\\d{1,6}) \\d+ \\d+$");

        @Override
        boolean add(String line, Trace.Builder trace) {
            Matcher range = LINE.matcher(line);
            if (!range.matches()) {
                return false;
            }
            long first = Long.parseLong(range.group(1));
            for (int block = 0; block < Integer.parseInt(range.group(2)); block++) {
                trace.add(Long.toString(first + block), BLOCK_BYTES);
            }
            return true;
        }
    },

    WIKIPEDIA("Wikipedia's, as Caffeine reads it: 'number time url flag'; every page counts as one byte") {
        private static final Pattern LINE = Pattern.compile("^\\d+ [\\d.]+ (\\S+) \\S+$");

        @Override
        boolean add(String line, Trace.Builder trace) {
            return addSizeless(LINE.matcher(line), trace);
        }
    },

    LIRS("LIRS', as Caffeine reads it: a block number a line, of one byte") {
        private static final Pattern LINE = Pattern.compile("^(\\d+)$");

        @Override
        boolean add(String line, Trace.Builder trace) {
            return line.equals("*") || addSizeless(LINE.matcher(line), trace);
        }
    };

    private static final long BLOCK_BYTES = 512;

    private final String expectation;

    TraceFormat(String expectation) {
        this.expectation = expectation;
    }

    /** Adds the requests of a line, if any; false if it is not in this format. */
    abstract boolean add(String line, Trace.Builder trace);

    private static boolean addSized(Matcher line, Trace.Builder trace) {
        if (!line.matches()) {
            return false;
        }
        trace.add(line.group(1), Long.parseLong(line.group(2)));
        return true;
    }

    private static boolean addSizeless(Matcher line, Trace.Builder trace) {
        if (!line.matches()) {
            return false;
        }
        trace.add(line.group(1), 1);
        return true;
    }

    /** What a line must look like. */
    String expectation() {
        return expectation;
    }

    /** The first format in which the line makes sense. */
    static Optional<TraceFormat> of(String line) {
        return Arrays.stream(values())
                .filter(format -> format.add(line, new Trace.Builder()))
                .findFirst();
    }

    /** What all formats expect, for the user who has another one. */
    static List<String> expectations() {
        return Arrays.stream(values()).map(TraceFormat::expectation).toList();
    }
}
