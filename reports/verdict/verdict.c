/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/verdict.h"

#include <math.h>

#include "reports/model/report_make.h"
#include "reports/rules/evidence.h"
#include "reports/rules/facts.h"
#include "reports/verdict/advice.h"
#include "reports/verdict/bound.h"
#include "reports/verdict/findings.h"
#include "reports/verdict/outcome.h"
#include "reports/verdict/silence.h"

/*
 * Appends the numbers that the rules compared, with thresholds, in the order of the rules.
 * The page of a failed job needs the elapsed time, to decide whether to show the verdict.
 */
static void put_evidence(const struct facts *facts, struct evidence *evidence)
{
	const struct fact_shares *shares = &facts->shares;
	const struct {
		const char *name;
		double value;
		const char *unit;
		enum rule rule;
	} tried[] = {
		{ "memory_share", shares->cause[CAUSE_MEMORY], NULL, RULE_MEMORY_SHARE },
		{ "cpu_wait_share", shares->cpu_wait, NULL, RULE_CROWD_WAIT },
		{ "busy_per_cpu", shares->busy_per_cpu, NULL, RULE_CROWD_BUSY },
		{ "active_share", shares->active, NULL, RULE_CROWD_ACTIVE },
		{ "starved_share", shares->kept, NULL, RULE_STARVED_WAIT },
		{ "throttled_part", shares->throttled, NULL, RULE_THROTTLED },
		{ "cpu_share", shares->cpu, NULL, RULE_CPU_SHARE },
		{ "file_io_share", shares->cause[CAUSE_FILE_IO], NULL, RULE_FILE_IO_SHARE },
		{ "gpu_share", shares->cause[CAUSE_GPU], NULL, RULE_GPU_SHARE },
		{ "gpu_busy_share", facts->gpu.busy, NULL, RULE_GPU_SHARE },
		{ "network_share", shares->cause[CAUSE_NETWORK], NULL, RULE_NETWORK_SHARE },
		{ "network_wait_mean_s", facts->wait[FACT_NETWORK].mean_s, "s", RULE_NETWORK_WAIT },
		{ "event_wait_mean_s", facts->wait[FACT_EVENT].mean_s, "s", RULE_EVENT_WAIT },
		{ "lock_share", shares->cause[CAUSE_LOCK], NULL, RULE_LOCK_SHARE },
		{ "lock_wait_mean_s", facts->wait[FACT_LOCK].mean_s, "s", RULE_LOCK_WAIT },
		{ "turns_share", shares->turns, NULL, RULE_TURNS_SHARE },
		{ "serial_share", shares->serial, NULL, RULE_SERIAL_SHARE },
		{ "serial_own_share", shares->serial_own, NULL, RULE_SERIAL_SHARE },
		{ "idle_share", shares->cause[CAUSE_IDLE], NULL, RULE_IDLE_SHARE },
	};

	evidence_against(evidence, "time_s", facts->time_s, "s", fact_rule(facts, RULE_LIVE_MIN));
	evidence_against(evidence, "elapsed_s", facts->elapsed_s, "s", fact_rule(facts, RULE_FINDING_ELAPSED));
	evidence_count(evidence, "cores", facts->cores);
	evidence_number(evidence, "on_cpu_share", shares->on_cpu, NULL);
	for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++)
		evidence_against(evidence, tried[i].name, tried[i].value, tried[i].unit, fact_rule(facts, tried[i].rule));
}

static void begin(struct report *report)
{
	report_table_verdict()->forget(&report->verdict);
	report->verdict.known = true;
	report->findings = (struct report_finding_list){ .known = true };
	report->advice = (struct report_advice_list){ .known = true };
}

static void put_verdict(const struct facts *facts, struct report *report)
{
	const struct report_file_system *file_system = bound_file_system(facts);
	struct report_verdict *verdict = &report->verdict;
	struct evidence evidence = { .list.known = true, .report = report };
	enum bound bound = bound_find(facts);
	char text[BOUND_TEXT];

	verdict->bound = bound_word(bound);
	verdict->share = bound_share(facts, bound);
	if (bound == BOUND_FILE_IO && file_system) {
		verdict->file_system = file_system->type;
		verdict->file_system_class = file_system->class;
	}
	put_evidence(facts, &evidence);
	verdict->evidence = evidence.list;
	verdict->text = report_copy(report, bound_text(facts, bound, text));
}

void verdict_put(struct report *report, const struct report_entry_list *timeline, const struct rules *rules)
{
	struct rules defaults;
	struct facts facts;
	char outcome[OUTCOME_TEXT], silence[SILENCE_TEXT];

	rules_defaults(&defaults);
	facts_read(&facts, report, rules ? rules : &defaults);
	if (facts.timed_out)
		at_limit_find(&facts.at_limit, report, timeline);
	begin(report);
	put_verdict(&facts, report);
	findings_put(&facts, report);
	advice_put(&facts, report);
	report->verdict.outcome = report_copy(report, outcome_text(&facts, outcome));
	report->verdict.no_advice = report_copy(report, silence_text(&facts, silence));
}

void verdict_put_codes(struct report *report, const struct rules *rules, struct facts *facts)
{
	facts_read(facts, report, rules);
	begin(report);
	report->verdict.bound = bound_word(bound_find(facts));
	findings_put_codes(facts, report);
}
