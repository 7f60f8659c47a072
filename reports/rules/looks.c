/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/looks.h"

#include <stddef.h>
#include <string.h>

#include "reports/rules/rules.h"

#define EFFICIENT 0.8
#define INEFFICIENT 0.5

/* The findings that affect a bar. The table of rules has their severities. */
static const struct {
	enum finding finding;
	enum look_at at;
} concerns[] = {
	{ FINDING_CPU_EFFICIENCY, LOOK_AT_CPU },     { FINDING_CORES_UNUSED, LOOK_AT_CPU },
	{ FINDING_NODE_IDLE, LOOK_AT_CPU },	     { FINDING_SERIAL, LOOK_AT_CPU },
	{ FINDING_OVERSUBSCRIBED, LOOK_AT_CPU },     { FINDING_CROWDED, LOOK_AT_CPU },
	{ FINDING_CPU_THROTTLED, LOOK_AT_CPU },	     { FINDING_CPU_STARVED, LOOK_AT_CPU },
	{ FINDING_IDLE_HEAD, LOOK_AT_CPU },	     { FINDING_IDLE_TAIL, LOOK_AT_CPU },
	{ FINDING_OOM_KILL, LOOK_AT_MEMORY },	     { FINDING_MEMORY_NEAR_LIMIT, LOOK_AT_MEMORY },
	{ FINDING_MEMORY_SWAPPED, LOOK_AT_MEMORY },  { FINDING_MEMORY_OVER_ASKED, LOOK_AT_MEMORY },
	{ FINDING_MEMORY_RECLAIM, LOOK_AT_MEMORY },  { FINDING_TIME_LIMIT_HIT, LOOK_AT_TIME },
	{ FINDING_TIME_LIMIT_NEAR, LOOK_AT_TIME },
};

static uint64_t bit_of(const char *code, size_t length)
{
	const struct finding_rule *rule = rules_finding(code, length);

	return rule ? UINT64_C(1) << (rule - finding_rules) : 0;
}

uint64_t looks_of_report(const struct report *report)
{
	uint64_t findings = 0;

	for (size_t i = 0; i < report->findings.count; i++) {
		const char *code = report->findings.items[i].code;

		findings |= code ? bit_of(code, strlen(code)) : 0;
	}
	return findings;
}

uint64_t looks_of_codes(const char *codes)
{
	uint64_t findings = 0;

	while (codes && *codes) {
		size_t length = strcspn(codes, ", ");

		findings |= bit_of(codes, length);
		codes += length;
		codes += strspn(codes, ", ");
	}
	return findings;
}

static enum look look_of_findings(enum look_at at, uint64_t findings)
{
	enum look worst = LOOK_NONE;

	for (size_t i = 0; i < sizeof(concerns) / sizeof(concerns[0]); i++) {
		enum look look = look_of_severity(finding_rules[concerns[i].finding].severity);

		if (concerns[i].at == at && (findings & UINT64_C(1) << concerns[i].finding) && look > worst)
			worst = look;
	}
	return worst;
}

/* A job need not use all of its time limit, so a short bar is as good as a long bar. */
enum look look_of_share(enum look_at at, double share, uint64_t findings)
{
	enum look look = look_of_findings(at, findings);

	if (look != LOOK_NONE || at == LOOK_AT_TIME)
		return look;
	return share >= EFFICIENT ? LOOK_GOOD : LOOK_NONE;
}

enum look look_of_efficiency(double share)
{
	return share >= EFFICIENT ? LOOK_GOOD : share < INEFFICIENT ? LOOK_LOOK : LOOK_NONE;
}

enum look look_of_severity(const char *severity)
{
	if (!severity)
		return LOOK_NONE;
	return strcmp(severity, "critical") == 0 ? LOOK_BAD : strcmp(severity, "warning") == 0 ? LOOK_LOOK : LOOK_NONE;
}

enum look look_of_bound(const char *bound)
{
	if (!bound || strcmp(bound, "mixed") == 0 || strcmp(bound, "unknown") == 0)
		return LOOK_NONE;
	return strcmp(bound, "cpu") == 0 ? LOOK_GOOD : LOOK_LOOK;
}
