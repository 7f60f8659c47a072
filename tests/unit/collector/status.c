/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the status file counts what waits on the node once for each look, in small pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/host/loop.h"
#include "collector/kernel/features.h"
#include "collector/status.h"
#include "common/file.h"
#include "reports/json/field.h"

#define LINES 50000

static char base[64];
static struct collector c;
static unsigned int pieces;

/* Replaces the event loop's. A piece counts a few files at most. */
void loop_in_pieces(struct loop *loop, loop_piece *piece)
{
	const struct waiting_look *look = &c.waiting_look;
	bool more = true;

	(void)loop;
	for (; more; pieces++) {
		int place = look->place;
		uint64_t before = look->now.found.count;

		more = piece(&c);
		if (look->directory && look->place == place)
			assert_true(look->now.found.count <= before + WAITING_PIECE);
		else if (place < look->places && before > 0)
			assert_true(c.waiting_seen.list[place].found.count <= before + WAITING_PIECE);
	}
}

/* These replace the kernel programs' own: none is loaded. */
int programs__states(const struct programs *p, struct program_state states[PROGRAMS])
{
	(void)p, (void)states;
	return 0;
}

const struct features *programs__features(const struct programs *p)
{
	static const struct features none;

	(void)p;
	return &none;
}

const char *programs__version(const struct programs *p, bool *same)
{
	(void)p;
	*same = true;
	return "";
}

uint64_t programs__since_ns(const struct programs *p)
{
	(void)p;
	return 0;
}

bool programs__pinned(const struct programs *p)
{
	(void)p;
	return true;
}

bool programs__taken_over(const struct programs *p)
{
	(void)p;
	return false;
}

static void make(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void put(const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", base, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "0123456789", 10), 10);
	close(fd);
}

static int begin(void **state)
{
	struct error err;

	(void)state;
	memset(&c, 0, sizeof(c));
	strcpy(base, "/tmp/stint-status-XXXXXX");
	assert_non_null(mkdtemp(base));
	make("run");
	make("spool");
	make("spool/store");
	make("spool/store/lines");
	conf_defaults(&c.conf);
	snprintf(c.conf.run_dir, sizeof(c.conf.run_dir), "%s/run", base);
	snprintf(c.conf.spool_dir, sizeof(c.conf.spool_dir), "%s/spool", base);
	snprintf(c.conf.store_dir, sizeof(c.conf.store_dir), "%s/store", base);
	c.run_fd = open(c.conf.run_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(spool_open(&c.spool, &c.conf, c.run_fd, &err), 0);
	assert_string_equal(err.text, "");
	return status_write(&c, &err);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int end(void **state)
{
	(void)state;
	close(c.run_fd);
	for (int i = 0; i < SPOOL_PLACES; i++)
		close(c.spool.places[i].fd);
	return nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int64_t shown(const char *object, const char *name)
{
	char path[128];
	struct error err;
	size_t length;
	char *text;
	struct json_object *json;
	int64_t value = -1;

	snprintf(path, sizeof(path), "%s/run/status.json", base);
	text = file_read(AT_FDCWD, path, 1 << 20, &length, &err);
	assert_non_null(text);
	json = field_parse(text, length, path, json_type_object, &err);
	assert_non_null(json);
	field_count(field_typed(json, object, json_type_object), name, &value);
	json_object_put(json);
	free(text);
	return value;
}

static void records_are_counted_in_their_directories(void **state)
{
	(void)state;
	c.loop = (struct loop *)&c;
	put("spool/c.n1.5.0.1800000000.u1000.record");
	put("run/spool/c.n1.6.0.1800000000.u1000.record");
	put("spool/damaged/c.n1.7.0.1800000000.u1000.record");
	status_refresh(&c);
	assert_int_equal(shown("spool", "records"), 2);
	assert_int_equal(shown("spool", "bytes"), 20);
	assert_int_equal(shown("spool", "reserve"), 1);
	assert_int_equal(shown("spool", "damaged"), 1);
	assert_int_equal(shown("reports", "waiting"), 2);
	assert_int_equal(c.spool.counts->records, 1);
	assert_int_equal(c.spool.counts->bytes, 10);
}

static void very_many_lines_are_counted_in_small_pieces(void **state)
{
	char name[64];

	(void)state;
	c.loop = (struct loop *)&c;
	for (int i = 0; i < LINES; i++) {
		snprintf(name, sizeof(name), "spool/store/lines/%d.0.abc.u1000", i);
		put(name);
	}
	pieces = 0;
	status_tick(&c);
	assert_int_equal(shown("store", "lines"), LINES);
	assert_true(pieces >= LINES / WAITING_PIECE);
	pieces = 0;
	put("spool/c.n1.5.0.1800000000.u1000.record");
	status_refresh(&c); /* a record came: the lines are not counted again */
	assert_true(pieces < 20);
	assert_int_equal(shown("spool", "records"), 1);
	assert_int_equal(shown("store", "lines"), LINES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(records_are_counted_in_their_directories, begin, end),
		cmocka_unit_test_setup_teardown(very_many_lines_are_counted_in_small_pieces, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
