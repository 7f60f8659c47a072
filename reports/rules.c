/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	double value, least, most;
} table[] = {
#define RULE_ROW(rule, name, value, least, most) [RULE_##rule] = { name, value, least, most },
	RULES(RULE_ROW)
#undef RULE_ROW
};

static enum rule find(const char *name)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		if (strcmp(table[i].name, name) == 0)
			return i;
	return RULE_COUNT;
}

void rules_defaults(struct rules *rules)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		rules->value[i] = table[i].value;
}

bool rules_known(const char *name)
{
	return find(name) < RULE_COUNT;
}

int rules_set(struct rules *rules, const char *name, double value, struct error *err)
{
	enum rule rule = find(name);

	if (rule == RULE_COUNT)
		return error_set(err, "there is no rule '%.64s'", name);
	if (!(value >= table[rule].least && value <= table[rule].most))
		return error_set(err, "rule %s: %g is not from %g to %g; %g stands", name, value, table[rule].least,
				 table[rule].most, rules->value[rule]);
	rules->value[rule] = value;
	return 0;
}

const char *rules_name(enum rule rule)
{
	return table[rule].name;
}
