# SPDX-License-Identifier: GPL-2.0-or-later
"""What the benchmark says about its measurements: figures that were computed by hand."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ.get("srcdir", "."), "tests/bench"))

import cost  # noqa: E402
import jitter  # noqa: E402
import tables  # noqa: E402
from compare import Bench, Pairs  # noqa: E402
from spread import Spread, differences, ratios  # noqa: E402
from workload import Dd, Failed, Fio, Workload  # noqa: E402

TESTS = []


def test(function):
    TESTS.append(function)
    return function


@test
def median_and_quartiles_are_those_of_the_values():
    spread = Spread([5, 1, 3, 2, 4])
    assert (spread.median, spread.quartiles) == (3, (2, 4))
    assert Spread([7]).quartiles == (7, 7)


@test
def the_interval_holds_the_median_and_is_the_same_again():
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100]
    spread = Spread(values)
    assert spread.low <= spread.median <= spread.high < 100
    assert (spread.low, spread.high) == (Spread(values).low, Spread(values).high)
    # By the binomial law, the median of ten values lies between the second and the ninth with 97.9 %.
    assert 2 <= spread.low <= 4.5 and 6.5 <= spread.high <= 9


@test
def one_value_far_off_moves_nothing():
    assert Spread([1.0] * 9 + [50.0]).high == 1.0


@test
def a_ratio_is_with_over_without():
    assert ratios([(2, 3), (4, 6), (10, 15)]).median == 1.5
    assert differences([(2, 3), (4, 6), (10, 15)]).median == 2


@test
def a_cost_counts_from_one_per_cent_on_and_only_where_it_is_sure():
    assert tables.costs_nothing([(1000, 1001)] * 16) is True
    assert tables.costs_nothing([(1000, 1009)] * 16) is True
    assert tables.costs_nothing([(1000, 1011)] * 16) is False
    assert tables.costs_nothing([(1000, 900), (1000, 1100)] * 8) is None
    assert [tables.verdict(good) for good in (True, False, None)] == ["reached", "missed", "not sure"]


@test
def a_cost_is_told_against_the_operation_itself():
    assert tables.costs_at_most([(1000, 1049)] * 16, 0.05) is True
    assert tables.costs_at_most([(1000, 1051)] * 16, 0.05) is False
    assert tables.costs_at_most([(1000, 1000), (1000, 1100)] * 8, 0.05) is None
    assert tables.costs_at_most([(2, 2.1)] * 16, 0.04) is False  # whatever the machine's nanoseconds are


@test
def a_wide_job_is_told_by_node_and_by_job():
    counts = {"calls": {}, "all": 4016, "named": 2010, "parts": 3996}
    data = {"nodes": 1000, "questions": 1, "other": {"all": 8, "named": 4},
            "leading": {"wall_s": 2.5, "cpu_s": 2, "memory_bytes": 300 << 20, "in_time": counts,
                        "late": {**counts, "all": 4040, "parts": 4038}}}
    rows = list(tables.target_rows({"wide": data}))
    assert [row[3] for row in rows] == [True, False, True, True, False, True]
    assert rows[3][1] == "4.00 a node, 20 a job" and rows[5][1] == "4, 4"


@test
def the_targets_stand_beside_what_empty_programs_take():
    def pairs(ns):
        return {"pairs": [["pipe", where, [(1000, ns)] * 4] for where in ("job", "outside")], "failed": []}

    data = {"workloads": [{"name": "pipe", "title": "pipe", "blocks": True}],
            "pairs": {"stint": pairs(1030), tables.EMPTIES: pairs(1020)}}
    rows = list(tables.target_rows(data))
    assert [(row[0], row[2], row[3]) for row in rows] == [("pipe, in the job", "+5 %", True),
                                                          ("pipe, outside", "+1 %", False)]
    assert rows[0][1] == "+3.0 % (+3.0 to +3.0); empty programs +2.0 % (+2.0 to +2.0)"


@test
def what_the_programs_take_of_a_process_life_is_a_share_of_it():
    def row(net_ns):
        data = {"workloads": [], "programs": {"spawn": {"job": {"net_ns": net_ns}}},
                "pairs": {"stint": {"pairs": [["spawn", "job", [(500000, 510000)] * 4]], "failed": []}}}
        return list(tables.target_rows(data))[-1]

    assert row(5000)[1:] == ("1.00 %", "1.00 %", True)
    assert row(5001)[3] is False


@test
def how_long_stintd_had_a_processor_is_told_by_its_switches():
    def line(when, before, then):
        return (f"  {when}: sched:sched_switch: prev_comm=a prev_pid={before} prev_prio=120 prev_state=S ==> "
                f"next_comm=b next_pid={then} next_prio=120")

    lines = [line("10.000000", 7, 1), line("10.000010", 1, 7), line("10.000050", 7, 1), line("10.001000", 1, 7),
             line("10.001020", 7, 1), "something else"]
    assert [round(length) for length in jitter.lengths_us(lines, 7)] == [20, 40]
    figures = {"threads": 2000, "pairs": [(1000, 1011)] * 3, "mean_us": 99.6, "stretches": 50, "most_us": 120,
               "longest_us": 180}
    assert [row[3] for row in tables.jitter_rows(figures)] == [False, True, False]


@test
def jobs_a_second_are_told_by_the_time_of_an_array_and_by_the_cost_of_each():
    one, other = {"pairs": [(10, 10.4)] * 3, "cpu_ms": 4.1}, {"pairs": [(10, 10.6)] * 3, "cpu_ms": 3.9}
    rows = list(tables.jobs_rows({"tasks": 200, "plugins": {"stint.so": one, "stint_contain.so": other}}))
    assert [row[3] for row in rows] == [True, False, False, True]
    assert ["stint_contain.so" in row[0] for row in rows] == [False, False, True, True]


@test
def a_program_s_cost_is_net_of_the_empty_one_beside_it():
    before = ("sched_switch", 10, 1000, 10, 400)
    after = ("sched_switch", 110, 11000, 110, 4400)
    one = cost.Cost(before, after)
    assert (one.runs, one.empty, one.net) == (100, 40, 60)
    assert cost.Cost(before, before).net == 0


@test
def an_operation_s_cost_is_that_of_all_programs_and_the_median_slice():
    def one_slice(switch_ns):
        switch = cost.Cost(("sched_switch", 0, 0, 0, 0), ("sched_switch", 200, 200 * (40 + switch_ns), 200, 200 * 40))
        fork = cost.Cost(("sched_process_fork", 0, 0, 0, 0), ("sched_process_fork", 100, 100 * 540, 100, 100 * 40))
        return {"switch": switch, "fork": fork}, 100

    said = cost.summary([one_slice(60), one_slice(70), one_slice(9000)])
    assert said["net_ns"] == 2 * 70 + 500
    assert said["switch_net_ns"] == 70
    assert said["programs"]["switch"] == {"hook": "sched_switch", "runs": 2, "empty_ns": 40, "net_ns": 70}


@test
def each_workload_s_own_words_are_understood():
    assert Workload("", "", "", "pipe").result("2091.911 71744\n") == (2091.911, 71744)
    assert Dd("", "", "").result("600000+0 records in\n600000+0 records out\n"
                                 "600000 bytes (600 kB, 586 KiB) copied, 0.12 s, 5.0 MB/s\n") == (200.0, 600000)
    assert Fio("", "", "").result('note: both\n{"jobs": [{"read": {"lat_ns": {"mean": 412.5}, "total_ios": 9}}]}') == \
        (412.5, 9)
    for workload, words in (Dd("", "", ""), "dd: error"), (Fio("", "", ""), "fio: error"):
        try:
            workload.result(words)
        except Failed:
            continue
        raise AssertionError(words)


class Switch:
    """Costs 50 % while it is on, and notes the order."""

    name = "switch"

    def __init__(self):
        self.is_on = False
        self.order = []

    def on(self):
        assert not self.is_on
        self.is_on = True

    def off(self):
        assert self.is_on
        self.is_on = False


class Work:
    name = "work"

    def __init__(self, switch, fails=False):
        self.switch, self.fails = switch, fails

    def run(self, *_):
        if self.fails:
            raise Failed("no such file")
        self.switch.order.append("B" if self.switch.is_on else "A")
        return Workload("", "", "").result("150 1" if self.switch.is_on else "100 1")


@test
def pairs_alternate_and_what_fails_is_named():
    switch = Switch()
    found = Bench("", 0, lambda _: None).alternate(switch, [Work(switch)], {"job": None}, 4)
    assert "".join(switch.order) == "ABBAABBA"
    assert found.pairs == {("work", "job"): [(100, 150)] * 4}
    assert Pairs.from_json(found.to_json()).pairs == found.pairs
    found = Bench("", 0, lambda _: None).alternate(switch, [Work(switch, True)], {"job": None}, 4)
    assert (found.pairs, found.failed) == ({}, {"work": "no such file"})


@test
def a_table_says_the_same_as_text_and_as_markdown():
    table = tables.Table("Title", "About it.", ["what", "figure"])
    table.add("a", 1)
    table.add("longer", "10 ns")
    assert table.text() == "Title\n\n  what    figure\n  a            1\n  longer   10 ns\n"
    assert table.markdown() == ("### Title\n\nAbout it.\n\n| what | figure |\n|---|---:|\n"
                                "| a | 1 |\n| longer | 10 ns |\n")


def main():
    print(f"1..{len(TESTS)}")
    for number, function in enumerate(TESTS, 1):
        try:
            function()
            print(f"ok {number} {function.__name__}")
        except Exception as why:  # pylint: disable=broad-except
            print(f"not ok {number} {function.__name__}\n# {type(why).__name__}: {why}")


main()
