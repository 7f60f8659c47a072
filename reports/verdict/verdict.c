/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/verdict.h"

#include <math.h>

#include "reports/json/field.h"
#include "reports/rules/evidence.h"
#include "reports/rules/facts.h"
#include "reports/verdict/advice.h"
#include "reports/verdict/bound.h"
#include "reports/verdict/findings.h"
#include "reports/verdict/outcome.h"
#include "reports/verdict/silence.h"

/*
 * Appends the numbers that the rules were tried on, in the rules' order, each with its threshold. By the elapsed time, pages know
 * whether to tell what bound a job that failed.
 */
static void put_evidence(const struct facts *facts, struct json_object *list)
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

	evidence_against(list, "time_s", facts->time_s, "s", fact_rule(facts, RULE_LIVE_MIN));
	evidence_against(list, "elapsed_s", facts->elapsed_s, "s", fact_rule(facts, RULE_FINDING_ELAPSED));
	evidence_count(list, "cores", facts->cores);
	evidence_number(list, "on_cpu_share", shares->on_cpu, NULL);
	for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++)
		evidence_against(list, tried[i].name, tried[i].value, tried[i].unit, fact_rule(facts, tried[i].rule));
}

static void put_verdict(const struct facts *facts, struct json_object *out)
{
	enum bound bound = bound_find(facts);
	double share = bound_share(facts, bound);
	char text[BOUND_TEXT];

	put_text(out, "bound", bound_word(bound));
	if (!isnan(share))
		put_ratio(out, "share", share);
	if (bound == BOUND_FILE_IO) {
		put_text(out, "file_system", field_text(bound_file_system(facts), "type"));
		put_text(out, "file_system_class", field_text(bound_file_system(facts), "class"));
	}
	put_evidence(facts, put_array(out, "evidence"));
	put_text(out, "text", bound_text(facts, bound, text));
}

void verdict_put(struct json_object *report, const struct rules *rules)
{
	struct rules defaults;
	struct facts facts;
	char outcome[OUTCOME_TEXT], silence[SILENCE_TEXT];

	rules_defaults(&defaults);
	facts_read(&facts, report, rules ? rules : &defaults);
	put_verdict(&facts, put_object(report, "verdict"));
	findings_put(&facts, put_array(report, "findings"));
	advice_put(&facts, put_array(report, "advice"));
	put_text(field_find(report, "verdict"), "outcome", outcome_text(&facts, outcome));
	put_text(field_find(report, "verdict"), "no_advice", silence_text(&facts, silence));
}

void verdict_put_codes(struct json_object *report, const struct rules *rules, struct facts *facts)
{
	facts_read(facts, report, rules);
	put_text(put_object(report, "verdict"), "bound", bound_word(bound_find(facts)));
	findings_put_codes(facts, put_array(report, "findings"));
}
