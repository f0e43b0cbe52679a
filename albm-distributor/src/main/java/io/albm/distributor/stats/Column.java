// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import java.util.Locale;

/**
 * The columns of HAProxy's statistics, in its order and by its names (HAProxy 2.6, management guide, 9.1), then two of our
 * own. Columns that we know nothing for stay empty.
 */
public enum Column {
    /** Name of the frontend or pool. */
    PXNAME,
    /** {@code FRONTEND}, {@code BACKEND} (a pool as a whole) or the backend's id. */
    SVNAME,
    QCUR,
    QMAX,
    SCUR,
    SMAX,
    SLIM,
    STOT,
    /** Bytes from clients. */
    BIN,
    /** Bytes to clients. */
    BOUT,
    DREQ,
    DRESP,
    EREQ,
    ECON,
    ERESP,
    WRETR,
    WREDIS,
    /** As HAProxy says it. */
    STATUS,
    WEIGHT,
    /** Backends that take requests. */
    ACT,
    BCK,
    CHKFAIL,
    CHKDOWN,
    /** Seconds since the status changed. */
    LASTCHG,
    /** Seconds in which it was down, in all. */
    DOWNTIME,
    QLIMIT,
    PID,
    IID,
    SID,
    /** Percent of its share during slow start. */
    THROTTLE,
    LBTOT,
    TRACKED,
    /** 0 frontend, 1 pool, 2 backend. */
    TYPE,
    RATE,
    RATE_LIM,
    RATE_MAX,
    CHECK_STATUS,
    CHECK_CODE,
    CHECK_DURATION,
    HRSP_1XX,
    HRSP_2XX,
    HRSP_3XX,
    HRSP_4XX,
    HRSP_5XX,
    HRSP_OTHER,
    HANAFAIL,
    REQ_RATE,
    REQ_RATE_MAX,
    REQ_TOT,
    CLI_ABRT,
    SRV_ABRT,
    COMP_IN,
    COMP_OUT,
    COMP_BYP,
    COMP_RSP,
    /** Seconds since the last session; -1 if there was none. */
    LASTSESS,
    LAST_CHK,
    LAST_AGT,
    /** Mean time in the queue, in milliseconds, as the next three over about the last 1024 answered requests. */
    QTIME,
    /** Until there was a connection; nothing for one that was there. */
    CTIME,
    /** From then to the response. */
    RTIME,
    /** All of it, to the end of the response. */
    TTIME,
    AGENT_STATUS,
    AGENT_CODE,
    AGENT_DURATION,
    CHECK_DESC,
    AGENT_DESC,
    CHECK_RISE,
    CHECK_FALL,
    CHECK_HEALTH,
    AGENT_RISE,
    AGENT_FALL,
    AGENT_HEALTH,
    ADDR,
    COOKIE,
    MODE,
    ALGO,
    CONN_RATE,
    CONN_RATE_MAX,
    CONN_TOT,
    INTERCEPTED,
    DCON,
    DSES,
    WREW,
    CONNECT,
    REUSE,
    CACHE_LOOKUPS,
    CACHE_HITS,
    SRV_ICUR,
    SRC_ILIM,
    QTIME_MAX,
    CTIME_MAX,
    RTIME_MAX,
    TTIME_MAX,
    EINT,
    IDLE_CONN_CUR,
    SAFE_CONN_CUR,
    USED_CONN_CUR,
    NEED_CONN_EST,
    UWEIGHT,
    AGG_SERVER_STATUS,
    AGG_SERVER_CHECK_STATUS,
    AGG_CHECK_STATUS,
    /** Behind HAProxy's own columns; it prints those of its modules after this one. */
    SEPARATOR,
    /** The state by our own word: {@code up}, {@code starting}, {@code relieved}, {@code ejected}, {@code panic} and others. */
    ALBM_STATE,
    /** Why, in words. */
    ALBM_REASON;

    private static final String SEPARATOR_NAME = "-";

    /** As in the header line. */
    public String header() {
        return this == SEPARATOR ? SEPARATOR_NAME : name().toLowerCase(Locale.ROOT);
    }
}
