/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps stint.prom in the directory "metrics" of stint.conf, for the textfile collector of node_exporter
 * (docs/metrics.md). Its series depend neither on users nor on their jobs: no label names one.
 */
#ifndef STINT_METRICS_H
#define STINT_METRICS_H

#include "collector/collector.h"

/* Makes the directory, unless it exists. Logs why it cannot be used. */
void metrics_begin(struct collector *c);

/* Call every 10 s. */
void metrics_tick(struct collector *c);

/* Removes the file: metrics of a stintd that does not run are wrong. */
void metrics_end(struct collector *c);

#endif
