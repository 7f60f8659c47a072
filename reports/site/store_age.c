/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/store_age.h"

#include <stdio.h>
#include <string.h>

#include "common/json_writer.h"
#include "common/time_text.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/site/job_figures.h"

#define HOUR_US (3600 * US_PER_S)
#define FEW_JOBS_US (72 * HOUR_US)
#define PART 160

static const char *age_text(const struct store_age *age, int64_t us, char text[DURATION_TEXT])
{
	int64_t seconds = (age->now_us - us) / US_PER_S;

	/* the store's clock may be ahead of this host's */
	return worded_duration_text(seconds > 0 ? (double)seconds : 0, text);
}

/* "2026-11-23 02:10" */
static const char *minute_text(int64_t us, char text[TIME_TEXT])
{
	struct time_parts parts;
	char whole[TIME_TEXT];

	if (time_split(time_text(us * 1000, whole), &parts))
		snprintf(text, TIME_TEXT, "%s %.5s", parts.day, parts.clock);
	else
		strcpy(text, "?");
	return text;
}

static const char *day_text(int64_t us, char text[TIME_TEXT])
{
	minute_text(us, text);
	text[strcspn(text, " ")] = '\0';
	return text;
}

static bool is_late(const struct store_age *age)
{
	return age->now_us - age->looked_us > STORE_AGE_LATE_US;
}

bool store_age_is_older(const struct store_age *age, const struct store_age *other)
{
	if (!age->ingested_us || !other->ingested_us)
		return age->ingested_us != 0;
	if (is_late(age) != is_late(other))
		return is_late(age);
	return is_late(age) ? age->looked_us < other->looked_us : age->ingested_us < other->ingested_us;
}

/* Writes nothing if stint ingest looks as often as it should and a batch came in the last hour. */
static void put_looked(const struct store_age *age, char text[PART])
{
	char since[DURATION_TEXT];

	text[0] = '\0';
	if (!age->looked_us)
		return;
	if (is_late(age))
		snprintf(text, PART, " stint ingest last looked for more %s ago.", age_text(age, age->looked_us, since));
	else if (age->now_us - age->ingested_us > HOUR_US)
		snprintf(text, PART, " None has come since (looked %s ago).", age_text(age, age->looked_us, since));
}

static void put_waiting(const struct store_age *age, char text[PART])
{
	char number[HOURS_TEXT];

	text[0] = '\0';
	if (age->waiting > 0)
		snprintf(text, PART, " %s batch%s %s for it.", job_count_text((double)age->waiting, number),
			 plural_es((double)age->waiting), plural_verb((double)age->waiting, "waits", "wait"));
}

static void put_newest(const struct store_age *age, char text[PART])
{
	char day[TIME_TEXT];

	text[0] = '\0';
	if (age->newest_us && age->now_us - age->newest_us > FEW_JOBS_US)
		snprintf(text, PART, " The newest job%s ended on %s.", age->whose[0] ? " there" : "", day_text(age->newest_us, day));
}

char *store_age_sentence(const struct store_age *age)
{
	char when[TIME_TEXT], since[DURATION_TEXT], looked[PART], waiting[PART], newest[PART], *text;
	char last[sizeof(age->whose) + 64] = "The store's last batch";
	int length;

	if (!age->ingested_us)
		return NULL;
	put_looked(age, looked);
	put_waiting(age, waiting);
	put_newest(age, newest);
	if (age->whose[0])
		snprintf(last, sizeof(last), "The store's oldest data are those of %s: the last batch", age->whose);
	length = asprintf(&text, "%s was ingested %s, %s ago.%s%s%s", last, minute_text(age->ingested_us, when),
			  age_text(age, age->ingested_us, since), looked, waiting, newest);
	return length < 0 ? NULL : text;
}

static void put_moment(struct json_object *to, const char *name, int64_t us)
{
	char text[TIME_TEXT];

	if (us)
		put_text(to, name, time_text(us * 1000, text));
	else
		put_null(to, name);
}

void store_age_put(const struct store_age *age, struct json_object *to)
{
	struct json_object *object = put_object(to, "store");
	char day[TIME_TEXT];

	put_moment(object, "ingested", age->ingested_us);
	put_moment(object, "looked", age->looked_us);
	if (age->newest_us)
		put_text(object, "newest_end", day_text(age->newest_us, day));
	else
		put_null(object, "newest_end");
	if (age->waiting >= 0)
		put_count(object, "waiting", age->waiting);
	else
		put_null(object, "waiting");
	if (age->whose[0])
		put_text(object, "oldest_clusters", age->whose);
}
