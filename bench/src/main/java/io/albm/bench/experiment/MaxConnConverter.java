// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 36/9}. */
final class MaxConnConverter implements ITypeConverter<Haproxy.MaxConn> {
    private static final Pattern PAIR = Pattern.compile("([1-9]\\d{0,3})/([1-9]\\d{0,3})");

    @Override
    public Haproxy.MaxConn convert(String text) {
        Matcher pair = PAIR.matcher(text);
        if (!pair.matches()) {
            throw new TypeConversionException("'" + text + "': expected two numbers from 1 to 9999, such as 36/9");
        }
        return new Haproxy.MaxConn(Integer.parseInt(pair.group(1)), Integer.parseInt(pair.group(2)));
    }
}
