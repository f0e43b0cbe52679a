// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Routes by what a request will cost and what its host has left.
 *
 * <p><b>Why.</b> Paper P1 relieves a server when its memory runs short. By then the requests that will push it into paging
 * have been sent, and while it pages they hold their memory longer: it tips over. What a request will take is known by
 * its route ({@link RouteCosts}), and what a host has left is known by its agent; so no host is ever given what it
 * cannot hold. If none can, requests that hold memory wait here, where waiting costs nothing, and those that hold none
 * pass.
 *
 * <p><b>Headroom.</b> In the terms of one host: the cost that this distributor may have in flight there is
 *
 * <pre>  limit = cost in flight when the last report came + (available memory − recover level) ÷ distributors</pre>
 *
 * and headroom is the limit − cost in flight now − cost of this request. What was sent since the report is taken off, and
 * what has ended since is given back. The level is the upper one of {@link Threshold}: a host is filled only as far as it
 * is surely well. Below the lower one it is relieved: it gets nothing while others have room.
 *
 * <p><b>Late reports.</b> A report shows the host as it was, the cost in flight is taken as it is when the report comes. That
 * error has mean zero, but if the limit followed each report at once, it would chase itself: the distributor fills what was
 * free seconds ago, does not see it yet, and fills it again. So the limit is an average of what the reports of some
 * seconds asked for, each by how much it can be believed ({@link LimitEstimate}). The sum of available memory and cost in
 * flight changes only by what else runs on the host, and that lasts for seconds.
 *
 * <p><b>Page reads</b> say where the level should have been. Available memory counts file pages that a host at its end needs
 * itself; it stays where it is while the host reads them back. What is read back then is kept free on top of the level
 * ({@link PagingMargin}).
 *
 * <p><b>Several distributors</b> see the same free memory. Each takes its share of it (one's own reservations times the number of
 * distributors is another thing, and fails: one large request then blocks a host). A share may be smaller than one
 * request; then the request goes with the probability share ÷ cost, drawn once per report, so that all of them together
 * send what fits on average. Each keeps what it has, so that clients need not be spread evenly.
 *
 * <p><b>A silent agent</b> is no error: the limit stays as it was last. A host that never reported has no limit and is judged by
 * its load alone.
 *
 * <p><b>Unknown costs</b> never wait: a queue that does not know what it holds back is worse than none, because it holds back
 * the cheap requests with the costly.
 *
 * <p>A pick looks at {@link AlbmRotation#LOOKS} hosts at most, however many there are, and reads a few fields of each.
 */
final class Albm implements RoutingPolicy {
    private final Map<String, Headroom> hosts = new HashMap<>();

    @Override
    public Rotation rotate(RoutingView view) {
        Candidates candidates = Candidates.of(view.backends());
        hosts.keySet().retainAll(view.backends().stream().map(BackendView::id).collect(Collectors.toSet()));
        var headrooms = new Headroom[candidates.size()];
        for (int i = 0; i < headrooms.length; i++) {
            headrooms[i] = headroom(candidates.view(i));
            headrooms[i].observe(candidates.view(i).report(), view);
        }
        return new AlbmRotation(candidates, headrooms, view);
    }

    /** A backend that came back under another address starts anew. */
    private Headroom headroom(BackendView backend) {
        return hosts.compute(
                backend.id(),
                (_, known) -> known != null && known.isOf(backend.load()) ? known : new Headroom(backend.load()));
    }
}
