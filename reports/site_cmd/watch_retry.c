/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_cmd/watch_retry.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int watch_retry_failed(struct watch_retry *retry, const char *who, const struct error *reason)
{
	bool first = !retry->pause_s, longest = retry->pause_s >= WATCH_RETRY_MOST_S;

	if (first)
		retry->since = time(NULL);
	if (first || (longest && strcmp(reason->text, retry->said.text) != 0)) {
		fprintf(stderr, "%s: %s: it tries again, every %d to %d s\n", who, reason->text, WATCH_RETRY_LEAST_S, WATCH_RETRY_MOST_S);
		retry->said = *reason;
	}
	retry->pause_s = first ? WATCH_RETRY_LEAST_S : 2 * retry->pause_s;
	if (retry->pause_s > WATCH_RETRY_MOST_S)
		retry->pause_s = WATCH_RETRY_MOST_S;
	return retry->pause_s;
}

void watch_retry_worked(struct watch_retry *retry, const char *who)
{
	if (retry->pause_s)
		fprintf(stderr, "%s: it works again, after %lld s\n", who, (long long)(time(NULL) - retry->since));
	*retry = (struct watch_retry){ 0 };
}
