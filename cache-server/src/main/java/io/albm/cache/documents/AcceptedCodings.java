// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.source.Coding;
import io.albm.core.http.Field;
import io.albm.core.http.RequestHead;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The codings that a client takes, by its {@code Accept-Encoding} (RFC 9110, 12.5.3). Pure.
 *
 * <p>A client that says nothing gets the document as it is; so does one whose field cannot be read.
 */
final class AcceptedCodings {
    private static final List<Coding> IDENTITY = List.of(Coding.IDENTITY);
    private static final List<Coding> CODINGS = List.of(Coding.values());
    private static final int FULL = 1_000;
    private static final int UNSAID = -1;

    private AcceptedCodings() {}

    /** What to try, in this order: what the client likes best, and of what it likes alike the smallest. May be empty. */
    static List<Coding> of(RequestHead request) {
        return request.has(Field.ACCEPT_ENCODING) ? preferred(weights(request)) : IDENTITY;
    }

    /** Weights in thousandths, one for each coding. */
    private static int[] weights(RequestHead request) {
        var weights = new int[CODINGS.size()];
        Arrays.fill(weights, UNSAID);
        int others = UNSAID;
        for (int line = request.next(Field.ACCEPT_ENCODING, 0);
                line < request.count();
                line = request.next(Field.ACCEPT_ENCODING, line + 1)) {
            String value = request.text(request.valueStart(line), request.valueEnd(line));
            for (String item : value.toLowerCase(Locale.ROOT).split(",", -1)) {
                String[] parts = item.split(";", -1);
                String token = parts[0].strip();
                if (token.equals("*")) {
                    others = weight(parts);
                }
                for (int i = 0; i < weights.length; i++) {
                    weights[i] = isCalled(CODINGS.get(i), token) ? weight(parts) : weights[i];
                }
            }
        }
        return complete(weights, others);
    }

    private static boolean isCalled(Coding coding, String token) {
        return token.equals(coding.token()) || (coding == Coding.GZIP && token.equals("x-gzip"));
    }

    /** What is not named has the weight of {@code *}; without that, only the identity is taken, and nothing is liked less. */
    private static int[] complete(int[] weights, int others) {
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] == UNSAID) {
                int plain = CODINGS.get(i) == Coding.IDENTITY ? 1 : 0;
                weights[i] = others == UNSAID ? plain : others;
            }
        }
        return weights;
    }

    private static List<Coding> preferred(int[] weights) {
        return IntStream.range(0, weights.length)
                .filter(i -> weights[i] > 0)
                .boxed()
                .sorted(Comparator.comparingInt(i -> -weights[i]))
                .map(CODINGS::get)
                .toList();
    }

    private static int weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                return thousandths(parameter.substring(2));
            }
        }
        return FULL;
    }

    /** A weight that is none counts as full: the client has named what it takes. */
    private static int thousandths(String weight) {
        if (!weight.matches("[01](\\.[0-9]{0,3})?")) {
            return FULL;
        }
        return Math.min(FULL, (int) Math.round(Double.parseDouble(weight) * FULL));
    }
}
