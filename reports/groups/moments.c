/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/moments.h"

#include <stdlib.h>
#include <time.h>

#include "common/cleanup.h"
#include "common/time_text.h"

int64_t moment_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * US_PER_S + now.tv_nsec / 1000;
}

int moment_read(struct database *db, const char *name, int64_t *us, struct error *err)
{
	cleanup_free char *text = database_setting(db, name, err);

	*us = 0;
	if (!text)
		return err->text[0] ? -1 : 0;
	time_parse(text, us);
	return 0;
}

int moment_write(struct database *db, const char *name, int64_t us, struct error *err)
{
	char text[TIME_TEXT];

	return database_set(db, name, us ? time_text(us * 1000, text) : "", err);
}

int moment_write_alone(struct database *db, const char *name, int64_t us, struct error *err)
{
	if (database_begin(db, err) < 0)
		return -1;
	if (moment_write(db, name, us, err) == 0 && database_commit(db, err) == 0)
		return 0;
	database_rollback(db);
	return -1;
}
