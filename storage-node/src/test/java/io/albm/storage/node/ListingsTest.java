// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Generation;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ListingsTest {
    private static final long BEFORE = 41;
    private static final Generation ONE = new Generation(0, -1);
    private static final Generation OTHER = new Generation(0, -2);
    private final Listings listings = new Listings(BEFORE);

    @Test
    void tellsWhatWasSealedSinceAListing() {
        long listing = listings.begin();
        listings.seal(ONE);
        assertThat(listings.isAsListed(ONE, listing)).isFalse();
        assertThat(listings.isAsListed(OTHER, listing)).isTrue();
    }

    @Test
    void takesWhatWasSealedBeforeAListingForListed() {
        listings.begin();
        listings.seal(ONE);
        assertThat(listings.isAsListed(ONE, listings.begin())).isTrue();
    }

    @Test
    void doesNotLetALaterListingSpeakForAnEarlierOne() {
        long early = listings.begin();
        listings.seal(ONE);
        listings.begin();
        assertThat(listings.isAsListed(ONE, early)).isFalse();
    }

    @Test
    void believesNoListingOfAnotherLife() {
        long listing = listings.begin();
        assertThat(new Listings(listing).isAsListed(ONE, listing)).isFalse();
        assertThat(listings.isAsListed(ONE, listing + 1)).isFalse();
        assertThat(listings.isAsListed(ONE, BEFORE)).isFalse();
    }

    @Test
    void believesAListingNoLongerWhenItHasForgottenWhatWasSealedSince() {
        long listing = listings.begin();
        LongStream.range(0, Listings.MOST_SEALED).forEach(i -> listings.seal(new Generation(1, i)));
        assertThat(listings.isAsListed(ONE, listing)).isTrue();
        listings.seal(OTHER);
        assertThat(listings.isAsListed(ONE, listing)).isFalse();
        assertThat(listings.isAsListed(ONE, listings.begin())).isTrue();
    }
}
