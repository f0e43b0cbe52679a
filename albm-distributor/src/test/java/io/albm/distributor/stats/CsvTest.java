// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvTest {
    /** As HAProxy 2.6.12 prints it, up to the columns that depend on its modules. */
    private static final String HAPROXY = "# pxname,svname,qcur,qmax,scur,smax,slim,stot,bin,bout,dreq,dresp,ereq,econ,"
            + "eresp,wretr,wredis,status,weight,act,bck,chkfail,chkdown,lastchg,downtime,qlimit,pid,iid,sid,throttle,"
            + "lbtot,tracked,type,rate,rate_lim,rate_max,check_status,check_code,check_duration,hrsp_1xx,hrsp_2xx,"
            + "hrsp_3xx,hrsp_4xx,hrsp_5xx,hrsp_other,hanafail,req_rate,req_rate_max,req_tot,cli_abrt,srv_abrt,comp_in,"
            + "comp_out,comp_byp,comp_rsp,lastsess,last_chk,last_agt,qtime,ctime,rtime,ttime,agent_status,agent_code,"
            + "agent_duration,check_desc,agent_desc,check_rise,check_fall,check_health,agent_rise,agent_fall,"
            + "agent_health,addr,cookie,mode,algo,conn_rate,conn_rate_max,conn_tot,intercepted,dcon,dses,wrew,connect,"
            + "reuse,cache_lookups,cache_hits,srv_icur,src_ilim,qtime_max,ctime_max,rtime_max,ttime_max,eint,"
            + "idle_conn_cur,safe_conn_cur,used_conn_cur,need_conn_est,uweight,agg_server_status,"
            + "agg_server_check_status,agg_check_status,-,";

    @Test
    void beginsWithTheHeaderOfHaproxyAndItsOrder() {
        assertThat(Csv.of(List.of())).startsWith(HAPROXY);
    }

    @Test
    void leavesEmptyWhatIsNotKnownAndNothingThatWouldBreakTheRow() {
        String csv = Csv.of(List.of(new Row(Row.Type.BACKEND, "docs", "b1")
                .put(Column.STOT, 7)
                .put(Column.ALBM_REASON, "a \"bad\",\nlong day")));

        assertThat(csv.lines()).hasSize(2);
        assertThat(csv.lines().skip(1).findFirst().orElseThrow())
                .startsWith("docs,b1,,,,,,7,")
                .endsWith(",a 'bad'; long day,");
    }
}
