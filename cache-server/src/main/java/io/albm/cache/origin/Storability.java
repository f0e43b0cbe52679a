// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

/** Whether a shared cache stores a response, and if not, why (RFC 9111, section 3). Pure. */
enum Storability {
    STORED,
    METHOD("the request's method"),
    NAME("its name is too long to be remembered"),
    STATUS("the response's status"),
    NO_STORE("no-store"),
    PRIVATE("private"),
    AUTHORIZED("the request was authorized"),
    COOKIE("it sets a cookie, and its lifetime would be a guess"),
    VARIES("Vary: *"),
    /** It could be neither used nor validated. */
    USELESS("neither fresh nor validated");

    private final String reason;

    Storability() {
        this("");
    }

    Storability(String reason) {
        this.reason = reason;
    }

    /** In words; empty if it is stored. */
    String reason() {
        return reason;
    }

    static Storability of(CacheRequest request, StoredHead response) {
        Directives directives = response.policy().directives();
        if (!isAnsweredGet(request) && !isPostedFor(request, response)) {
            return METHOD;
        }
        if (isForbiddenStatus(response)) {
            return STATUS;
        }
        if (request.isUnstored() || isNoStore(directives)) {
            return NO_STORE;
        }
        if (directives.isUnqualified("private")) {
            return PRIVATE;
        }
        if (request.fields().has("Authorization") && !response.policy().allowsAuthorized()) {
            return AUTHORIZED;
        }
        Selection selection = Selection.of(response.reply().fields());
        if (selection.matchesNothing()) {
            return VARIES;
        }
        if (request.isForOrigin() || ResponseKey.of(request, selection).isTooLong()) {
            return NAME;
        }
        if (response.reply().fields().has("Set-Cookie") && response.freshness().basis() != Freshness.Basis.EXPLICIT) {
            return COOKIE;
        }
        return isOfUse(response) ? STORED : USELESS;
    }

    /** What a body makes of a GET is undefined (RFC 9110, section 9.3.1), and no other GET would get it. */
    private static boolean isAnsweredGet(CacheRequest request) {
        return request.isGet() && request.mayBeAnswered();
    }

    /** A POST's answer serves later GETs if it says how long and that it is what they would get (RFC 9110, 9.3.3). */
    private static boolean isPostedFor(CacheRequest request, StoredHead response) {
        String location = response.reply().fields().only("Content-Location");
        return request.method().equals("POST")
                && response.freshness().basis() == Freshness.Basis.EXPLICIT
                && location != null
                && request.resolved(location).equals(request.resource());
    }

    private static boolean isForbiddenStatus(StoredHead response) {
        int status = response.reply().status();
        return Statuses.isAboutRequest(status)
                || (response.policy().directives().has("must-understand") && !Statuses.isUnderstood(status));
    }

    /** An understood response that asks to be understood means its no-store for others (section 5.2.2.3). */
    private static boolean isNoStore(Directives directives) {
        return directives.has("no-store") && !directives.has("must-understand");
    }

    private static boolean isOfUse(StoredHead response) {
        boolean validated = response.reply().status() == Statuses.OK
                && Validators.of(response.reply()).any();
        boolean reusable = !response.policy().needsValidation()
                && (response.freshness().isFresh(response.freshness().received()) || isUsedStale(response));
        return validated || reusable;
    }

    private static boolean isUsedStale(StoredHead response) {
        Directives directives = response.policy().directives();
        long seconds =
                Math.max(directives.seconds("stale-while-revalidate", 0), directives.seconds("stale-if-error", 0));
        return response.freshness().basis() == Freshness.Basis.EXPLICIT
                && response.freshness().isUsable(response.freshness().received(), seconds);
    }
}
