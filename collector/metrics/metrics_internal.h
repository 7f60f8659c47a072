/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_METRICS_INTERNAL_H
#define STINT_METRICS_INTERNAL_H

#include <stdio.h>

#include "collector/collector.h"
#include "common/metric_text.h"

/* Write a metric that has one series without label. */
void metrics_put_count(FILE *out, const char *name, enum metric_type type, const char *help, uint64_t count);
void metrics_put_seconds(FILE *out, const char *name, enum metric_type type, const char *help, uint64_t ns);

void metrics_put_jobs(const struct collector *c, FILE *out);
void metrics_put_gpus(const struct collector *c, FILE *out);
void metrics_put_health(const struct collector *c, FILE *out);

#endif
