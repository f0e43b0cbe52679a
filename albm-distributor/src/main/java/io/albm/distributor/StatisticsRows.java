// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendStatus;
import io.albm.distributor.backend.CheckStatus;
import io.albm.distributor.stats.Column;
import io.albm.distributor.stats.Row;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import java.util.ArrayList;
import java.util.List;

/**
 * Says in HAProxy's columns and words what frontends, pools and backends have done.
 *
 * <p>Our states in its words: {@code up}, {@code starting} and {@code panic} are UP (they get requests), {@code relieved} is NOLB
 * (alive, gets nothing new), {@code ejected} is DOWN, {@code draining} is DRAIN. A backend that was not checked yet is UP
 * with the check status INI, as HAProxy's are. The columns behind HAProxy's say our own word and the reason.
 */
final class StatisticsRows {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int FULL_SHARE = 100;
    private static final String UP = "UP";
    private static final String DOWN = "DOWN";

    private final long nowNanos;
    private final List<Row> rows = new ArrayList<>();
    private int proxies;

    StatisticsRows(long nowNanos) {
        this.nowNanos = nowNanos;
    }

    /** What was said so far. */
    List<Row> rows() {
        return rows;
    }

    /**
     * Says what a frontend has done.
     *
     * @param mode {@code http} or {@code tcp}
     * @param maxSessions client connections that it may have
     */
    void frontend(String name, String mode, int maxSessions, Traffic traffic) {
        Row row = new Row(Row.Type.FRONTEND, name, "FRONTEND")
                .put(Column.IID, ++proxies)
                .put(Column.SID, 0)
                .put(Column.STATUS, "OPEN")
                .put(Column.MODE, mode)
                .put(Column.SCUR, traffic.current())
                .put(Column.SLIM, maxSessions)
                .put(Column.EREQ, traffic.total(Count.REFUSED))
                .put(Column.DREQ, 0)
                .put(Column.DRESP, 0)
                .put(Column.REQ_RATE, traffic.requestRate().perSecond())
                .put(Column.REQ_RATE_MAX, traffic.requestRate().most())
                .put(Column.REQ_TOT, traffic.total(Count.REQUESTS))
                .put(Column.CONN_RATE, traffic.sessionRate().perSecond())
                .put(Column.CONN_RATE_MAX, traffic.sessionRate().most())
                .put(Column.CONN_TOT, traffic.total(Count.SESSIONS));
        sessions(row, traffic);
        responses(row, traffic);
        rows.add(row);
    }

    /** Says what each backend of a pool has done, and the pool as a whole. */
    void pool(RunningPool pool) {
        String name = pool.spec().name();
        String mode = pool.isTcp() ? "tcp" : "http";
        Traffic own = pool.queue().traffic();
        int iid = ++proxies;
        var all = new Traffic();
        all.absorb(own);
        var members = new Members();
        pool.directory().forEach((backend, status) -> {
            all.absorb(backend.traffic());
            members.add(backend, status);
            rows.add(backend(name, mode, iid, members.count, backend, status));
        });
        Row row = new Row(Row.Type.POOL, name, "BACKEND")
                .put(Column.IID, iid)
                .put(Column.SID, 0)
                .put(Column.STATUS, members.serving > 0 ? UP : DOWN)
                .put(Column.ALBM_STATE, members.panic ? "panic" : members.serving > 0 ? "up" : "down")
                .put(Column.MODE, mode)
                .put(Column.ALGO, pool.policy())
                .put(Column.QCUR, pool.queue().waiting())
                .put(Column.QMAX, pool.queue().mostWaiting())
                .put(Column.QLIMIT, pool.queueSize())
                .put(Column.SCUR, members.sessions)
                .put(Column.WEIGHT, Math.round(members.weight))
                .put(Column.ACT, members.serving)
                .put(Column.BCK, 0)
                .put(Column.CHKDOWN, members.downs)
                .put(Column.REQ_TOT, all.responses());
        sessions(row, all);
        row.put(Column.SMAX, Math.max(own.most(), members.mostSessions))
                .put(Column.RATE, own.sessionRate().perSecond())
                .put(Column.RATE_MAX, own.sessionRate().most());
        balanced(row, all);
        responses(row, all);
        times(row, own);
        rows.add(row);
    }

    /** What is added up over a pool's backends. */
    private static final class Members {
        int count;
        int serving;
        int sessions;
        int mostSessions;
        long downs;
        double weight;
        boolean panic;

        void add(Backend backend, BackendStatus status) {
            boolean serves = status.share() > 0;
            count++;
            serving += serves ? 1 : 0;
            sessions += backend.inFlight();
            mostSessions = Math.max(mostSessions, backend.traffic().most());
            downs += status.checks().downs();
            weight += serves ? status.weight() : 0;
            panic |= status.health().equals("panic");
        }
    }

    private Row backend(String pool, String mode, int iid, int sid, Backend backend, BackendStatus status) {
        Traffic traffic = backend.traffic();
        int idle = backend.connections().idle();
        Row row = new Row(Row.Type.BACKEND, pool, backend.id())
                .put(Column.IID, iid)
                .put(Column.SID, sid)
                .put(Column.STATUS, word(status))
                .put(Column.ALBM_STATE, status.health())
                .put(Column.ALBM_REASON, status.reason())
                .put(Column.MODE, mode)
                .put(Column.ADDR, backend.address().toString())
                .put(Column.QCUR, 0)
                .put(Column.QMAX, 0)
                .put(Column.SCUR, backend.inFlight())
                .put(Column.SLIM, backend.load().limit())
                .put(Column.WEIGHT, Math.round(status.weight()))
                .put(Column.UWEIGHT, Math.round(status.weight()))
                .put(Column.ACT, 1)
                .put(Column.BCK, 0)
                .put(
                        Column.THROTTLE,
                        status.health().equals("starting") ? Math.round(FULL_SHARE * status.share()) : null)
                .put(Column.SRV_ICUR, idle)
                .put(Column.IDLE_CONN_CUR, idle)
                .put(Column.USED_CONN_CUR, Math.max(0, backend.connections().open() - idle));
        sessions(row, traffic);
        row.put(Column.LASTSESS, traffic.sessionRate().secondsSinceGrowth(nowNanos));
        balanced(row, traffic);
        responses(row, traffic);
        times(row, traffic);
        checks(row, status.checks());
        return row;
    }

    private static String word(BackendStatus status) {
        return switch (status.health()) {
            case "down", "ejected" -> DOWN;
            case "relieved" -> "NOLB";
            case "draining" -> "its agent says so".equals(status.reason()) ? "DRAIN (agent)" : "DRAIN";
            default -> UP;
        };
    }

    private static void sessions(Row row, Traffic traffic) {
        row.put(Column.SMAX, traffic.most())
                .put(Column.STOT, traffic.total(Count.SESSIONS))
                .put(Column.BIN, traffic.total(Count.BYTES_IN))
                .put(Column.BOUT, traffic.total(Count.BYTES_OUT))
                .put(Column.RATE, traffic.sessionRate().perSecond())
                .put(Column.RATE_MAX, traffic.sessionRate().most());
    }

    private static void balanced(Row row, Traffic traffic) {
        row.put(Column.LBTOT, traffic.total(Count.SESSIONS))
                .put(Column.DRESP, 0)
                .put(Column.ECON, traffic.total(Count.CONNECT_ERRORS))
                .put(Column.ERESP, traffic.total(Count.RESPONSE_ERRORS))
                .put(Column.WRETR, traffic.total(Count.RETRIES))
                .put(Column.WREDIS, traffic.total(Count.REDISPATCHES))
                .put(Column.CLI_ABRT, traffic.total(Count.CLIENT_ABORTS))
                .put(Column.SRV_ABRT, traffic.total(Count.SERVER_ABORTS));
    }

    private static void responses(Row row, Traffic traffic) {
        row.put(Column.HRSP_1XX, traffic.responses(1))
                .put(Column.HRSP_2XX, traffic.responses(2))
                .put(Column.HRSP_3XX, traffic.responses(3))
                .put(Column.HRSP_4XX, traffic.responses(4))
                .put(Column.HRSP_5XX, traffic.responses(5))
                .put(Column.HRSP_OTHER, traffic.responses(0));
    }

    private static void times(Row row, Traffic traffic) {
        row.put(Column.QTIME, millis(traffic.mean(Count.QUEUE_NANOS)))
                .put(Column.CTIME, millis(traffic.mean(Count.CONNECT_NANOS)))
                .put(Column.RTIME, millis(traffic.mean(Count.RESPONSE_NANOS)))
                .put(Column.TTIME, millis(traffic.mean(Count.TOTAL_NANOS)));
    }

    private static long millis(double nanos) {
        return Double.isNaN(nanos) ? 0 : Math.round(nanos / NANOS_PER_MILLI);
    }

    private static void checks(Row row, CheckStatus checks) {
        row.put(Column.CHECK_STATUS, checks.last())
                .put(Column.LAST_CHK, checks.text())
                .put(Column.CHKFAIL, checks.failed())
                .put(Column.CHKDOWN, checks.downs())
                .put(Column.LASTCHG, checks.sinceSeconds())
                .put(Column.DOWNTIME, checks.downSeconds())
                .put(Column.CHECK_RISE, checks.rise())
                .put(Column.CHECK_FALL, checks.fall());
    }
}
