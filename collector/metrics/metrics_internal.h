/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_METRICS_INTERNAL_H
#define STINT_METRICS_INTERNAL_H

#include <stdio.h>

#include "collector/collector.h"
#include "collector/metrics/metric_text.h"

void metrics_put_jobs(const struct collector *c, FILE *out);
void metrics_put_gpus(const struct collector *c, FILE *out);
void metrics_put_health(const struct collector *c, FILE *out);

#endif
