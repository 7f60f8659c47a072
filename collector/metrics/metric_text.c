/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/metrics/metric_text.h"

#include <inttypes.h>

#define NS_PER_S UINT64_C(1000000000)

void metric_begin(FILE *out, const char *name, enum metric_type type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type == METRIC_COUNTER ? "counter" : "gauge");
}

static void put_label(FILE *out, const struct metric_label *label)
{
	fprintf(out, "{%s=\"", label->name);
	for (const char *at = label->value; *at; at++)
		if (*at == '\n')
			fputs("\\n", out);
		else if (*at == '\\' || *at == '"')
			fprintf(out, "\\%c", *at);
		else
			putc(*at, out);
	fputs("\"}", out);
}

static void put_name(FILE *out, const char *name, const struct metric_label *label)
{
	fputs(name, out);
	if (label)
		put_label(out, label);
}

void metric_count(FILE *out, const char *name, const struct metric_label *label, uint64_t count)
{
	put_name(out, name, label);
	fprintf(out, " %" PRIu64 "\n", count);
}

void metric_seconds(FILE *out, const char *name, const struct metric_label *label, uint64_t ns)
{
	put_name(out, name, label);
	fprintf(out, " %" PRIu64 ".%09" PRIu64 "\n", ns / NS_PER_S, ns % NS_PER_S);
}

void metric_one_count(FILE *out, const char *name, enum metric_type type, const char *help, uint64_t count)
{
	metric_begin(out, name, type, help);
	metric_count(out, name, NULL, count);
}

void metric_one_time(FILE *out, const char *name, enum metric_type type, const char *help, uint64_t ns)
{
	metric_begin(out, name, type, help);
	metric_seconds(out, name, NULL, ns);
}
