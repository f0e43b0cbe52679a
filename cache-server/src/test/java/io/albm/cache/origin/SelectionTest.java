// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionTest {

    private static Selection on(String vary) {
        return Selection.of(FieldList.of("Vary", vary));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Foo             | 1, 2                  | 1,2                  | true",
                "Foo             | 1,2                   | 2,1                  | false",
                "Foo             | a                     | A                    | false",
                "Accept-Language | en, de                | ' de ,  eN'          | true",
                "Accept-Language | en, de;q=0.5          | de; q=0.5, en        | true",
                "Accept-Language | en, de;q=0.5          | en;q=0.5, de         | false",
                "Accept-Encoding | gzip, br              | br,gzip              | true",
                "Accept-Encoding | gzip                  | br                   | false",
            })
    void matchesRequestsThatMeanTheSame(String name, String one, String other, boolean match) {
        Selection selection = on(name);
        assertThat(selection.key(FieldList.of(name, one)).equals(selection.key(FieldList.of(name, other))))
                .isEqualTo(match);
    }

    @Test
    void joinsLines() {
        assertThat(on("foo").key(FieldList.of("Foo", "1", "FOO", "2")))
                .isEqualTo(on("foo").key(FieldList.of("foo", "1, 2")));
    }

    @Test
    void tellsAbsentFromEmpty() {
        assertThat(on("foo").key(FieldList.EMPTY)).isNotEqualTo(on("foo").key(FieldList.of("foo", "")));
    }

    @Test
    void heedsEveryListedFieldInAnyOrderAndNoOther() {
        FieldList stored = FieldList.of("Foo", "1", "Bar", "abc", "Other", "2");
        assertThat(on("Foo, Bar").key(stored)).isEqualTo(on("bar , FOO").key(stored));
        assertThat(on("Foo, Bar").key(stored)).isEqualTo(on("Foo, Bar").key(stored.with("Other", "3")));
        assertThat(on("Foo, Bar").key(stored)).isNotEqualTo(on("Foo, Bar").key(stored.with("Bar", "abcd")));
    }

    @Test
    void isOneForAllWithoutVary() {
        assertThat(Selection.of(FieldList.EMPTY).key(FieldList.of("Foo", "1"))).isEmpty();
    }

    @Test
    void valuesCannotImitateOtherFields() {
        assertThat(on("a, b").key(FieldList.of("a", "1", "b", "2")))
                .isNotEqualTo(on("a, b").key(FieldList.of("a", "1,b=2")));
    }
}
