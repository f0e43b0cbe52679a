// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Times in header fields (RFC 9110, section 5.6.7): the preferred form and the two obsolete ones, nothing else, because a
 * cache has to take an unreadable {@code Expires} for one in the past. The name of the day is not checked. Pure.
 */
final class HttpDate {

    private static final String TIME = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";
    private static final String MONTH = "(?<month>[A-Z][a-z][a-z])";
    private static final Pattern IMF =
            Pattern.compile("[A-Z][a-z][a-z], (?<day>\\d\\d) " + MONTH + " (?<year>\\d{4}) " + TIME + " GMT");
    private static final Pattern RFC_850 =
            Pattern.compile("[A-Z][a-z]+day, (?<day>\\d\\d)-" + MONTH + "-(?<year>\\d\\d) " + TIME + " GMT");
    private static final Pattern ASCTIME =
            Pattern.compile("[A-Z][a-z][a-z] " + MONTH + " (?<day>[ \\d]\\d) " + TIME + " (?<year>\\d{4})");
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);
    private static final int CENTURY = 100;
    private static final int FAR = 50;

    private HttpDate() {}

    static String format(Instant time) {
        return FORMAT.format(time.atOffset(ZoneOffset.UTC));
    }

    /**
     * The time that a field names.
     *
     * @param now decides the century of a year of two digits: one over fifty years ahead is past
     */
    static Optional<Instant> parse(@Nullable String text, Instant now) {
        if (text == null) {
            return Optional.empty();
        }
        Matcher imf = IMF.matcher(text);
        if (imf.matches()) {
            return time(imf, number(imf, "year"));
        }
        Matcher rfc850 = RFC_850.matcher(text);
        if (rfc850.matches()) {
            return time(rfc850, century(number(rfc850, "year"), now));
        }
        Matcher asctime = ASCTIME.matcher(text);
        return asctime.matches() ? time(asctime, number(asctime, "year")) : Optional.empty();
    }

    private static int century(int year, Instant now) {
        int thisYear = now.atOffset(ZoneOffset.UTC).getYear();
        int full = thisYear - thisYear % CENTURY + year;
        return full > thisYear + FAR ? full - CENTURY : full;
    }

    private static Optional<Instant> time(Matcher parts, int year) {
        int month = MONTHS.indexOf(parts.group("month"));
        if (month % 3 != 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDateTime.of(
                            year,
                            month / 3 + 1,
                            number(parts, "day"),
                            number(parts, "hour"),
                            number(parts, "minute"),
                            Math.min(59, number(parts, "second")))
                    .toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int number(Matcher parts, String name) {
        return Integer.parseInt(parts.group(name).strip());
    }
}
