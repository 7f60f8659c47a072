/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/metrics/metrics.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/metrics/metrics_internal.h"
#include "common/cleanup.h"
#include "common/file.h"

#define FILE_NAME "stint.prom"

void metrics_begin(struct collector *c)
{
	struct error err;
	bool made;

	c->metrics_fd = -1;
	if (!c->conf.metrics[0])
		return;
	made = mkdir(c->conf.metrics, 0755) == 0;
	c->metrics_fd = file_open_own_directory(c->conf.metrics, &err);
	/* node_exporter is another user. A directory that was there keeps its mode. */
	if (c->metrics_fd >= 0 && made && fchmod(c->metrics_fd, 0755) < 0) {
		error_errno(&err, "%s", c->conf.metrics);
		close(c->metrics_fd);
		c->metrics_fd = -1;
	}
	if (c->metrics_fd < 0)
		collector_log(LOG_WARNING, "stintd writes no metrics: %s", err.text);
}

static int write_file(const struct collector *c, struct error *err)
{
	cleanup_free char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return error_errno(err, FILE_NAME);
	metrics_put_jobs(c, out);
	metrics_put_gpus(c, out);
	metrics_put_health(c, out);
	if (fclose(out) != 0)
		return error_errno(err, FILE_NAME);
	return file_write_volatile(c->metrics_fd, FILE_NAME, 0644, text, length, err);
}

void metrics_tick(struct collector *c)
{
	struct error err;

	if (c->metrics_fd < 0)
		return;
	if (write_file(c, &err) == 0)
		return;
	collector_log(LOG_WARNING, "cannot write the metrics in %s: %s", c->conf.metrics, err.text);
}

void metrics_end(struct collector *c)
{
	if (c->metrics_fd < 0)
		return;
	unlinkat(c->metrics_fd, FILE_NAME, 0);
	close(c->metrics_fd);
	c->metrics_fd = -1;
}
