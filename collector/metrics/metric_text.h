/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes metrics in Prometheus' text format, version 0.0.4
 * (prometheus.io/docs/instrumenting/exposition_formats).
 */
#ifndef STINT_METRIC_TEXT_H
#define STINT_METRIC_TEXT_H

#include <stdint.h>
#include <stdio.h>

enum metric_type {
	METRIC_GAUGE,
	METRIC_COUNTER, /* its name ends with _total */
};

/* A label of a series. Must be NULL if the series has none. */
struct metric_label {
	const char *name;
	const char *value; /* any text */
};

/* Begins the metric @name. @help: one sentence, without line breaks and backslashes */
void metric_begin(FILE *out, const char *name, enum metric_type type, const char *help);

/* Adds a series to the metric @name, which was begun last. */
void metric_count(FILE *out, const char *name, const struct metric_label *label, uint64_t count);

/* The same for a time in nanoseconds. The series has seconds. */
void metric_seconds(FILE *out, const char *name, const struct metric_label *label, uint64_t ns);

/* Write a metric that has one series, without label. */
void metric_one_count(FILE *out, const char *name, enum metric_type type, const char *help, uint64_t count);
void metric_one_time(FILE *out, const char *name, enum metric_type type, const char *help, uint64_t ns);

#endif
