// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What one can ask of the {@link FileTable}.
 *
 * @param <A> how it answers
 */
public sealed interface TableRequest<A extends TableAnswer> permits TableCommand, TableQuery {
    @JsonIgnore
    Class<A> answer();
}
