/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/database/sqlite_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/database/database.h"

#define MARK "stint ingest --rebuild is replacing the database\n"
#define WAIT_MS 60000
#define NAMES_MAX 1000 /* at most so many files can be moved away in the same second */

/* ---- who writes it ---- */

int sqlite_file_lock(const char *path, int *fd, struct error *err)
{
	cleanup_free char *name = NULL;
	int got;

	if (asprintf(&name, "%s.lock", path) < 0)
		return error_set(err, "out of memory");
	*fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (*fd < 0)
		return error_errno(err, "%s", name);
	if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
		return 1;
	got = errno == EWOULDBLOCK ? 0 : error_errno(err, "%s", name);
	close(*fd);
	*fd = -1;
	return got;
}

int sqlite_file_mark(int lock_fd, bool replacing, struct error *err)
{
	const ssize_t length = replacing ? (ssize_t)strlen(MARK) : 0;

	if (ftruncate(lock_fd, 0) == 0 && pwrite(lock_fd, MARK, (size_t)length, 0) == length && fsync(lock_fd) == 0)
		return 0;
	return error_errno(err, "cannot write the lock file of the database");
}

bool sqlite_file_is_marked(int lock_fd)
{
	struct stat st;

	return fstat(lock_fd, &st) == 0 && st.st_size > 0;
}

/* ---- whether it is damaged ---- */

bool sqlite_file_is_damage(int code)
{
	switch (code) {
	case SQLITE_IOERR_READ:
	case SQLITE_IOERR_SHORT_READ:
#ifdef SQLITE_IOERR_DATA
	case SQLITE_IOERR_DATA:
	case SQLITE_IOERR_CORRUPTFS:
#endif
		return true;
	default:
		return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
	}
}

/* Our queries are correct, so an error such as "no such column" means that the file is damaged. */
static enum sqlite_file_state judge_error(sqlite3 *db, struct error *why)
{
	int code = sqlite3_extended_errcode(db);

	error_set(why, "%.400s", sqlite3_errmsg(db));
	return sqlite_file_is_damage(code) || (code & 0xff) == SQLITE_ERROR ? SQLITE_FILE_DAMAGED : SQLITE_FILE_UNKNOWN;
}

/* Reads the first value as text. Returns SQLITE_ROW, SQLITE_DONE if there is no row, or an error code. */
static int read_text(sqlite3 *db, const char *sql, const char *argument, char *text, size_t size)
{
	sqlite3_stmt *statement;
	int result = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	const unsigned char *value;

	*text = '\0';
	if (result != SQLITE_OK)
		return result;
	if (argument)
		sqlite3_bind_text(statement, 1, argument, -1, SQLITE_STATIC);
	result = sqlite3_step(statement);
	value = result == SQLITE_ROW ? sqlite3_column_text(statement, 0) : NULL;
	if (value)
		snprintf(text, size, "%s", (const char *)value);
	sqlite3_finalize(statement);
	return result;
}

#define TABLES "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
#define SETTING "SELECT value FROM setting WHERE name = ?"

/* All versions of the store have the tables "setting" and "month". One transaction creates them and sets the version. */
static enum sqlite_file_state judge_tables(sqlite3 *db, bool *is_empty, struct error *why)
{
	char count[24], own[24];

	if (read_text(db, TABLES, NULL, count, sizeof(count)) != SQLITE_ROW ||
	    read_text(db, TABLES " AND name IN ('setting', 'month')", NULL, own, sizeof(own)) != SQLITE_ROW)
		return judge_error(db, why);
	*is_empty = strcmp(count, "0") == 0;
	if (*is_empty || strcmp(own, "2") == 0)
		return SQLITE_FILE_GOOD;
	error_set(why, DATABASE_NOT_THE_STORES);
	return SQLITE_FILE_FOREIGN;
}

static enum sqlite_file_state judge_pages(sqlite3 *db, struct error *why)
{
	char text[256];

	if (read_text(db, "PRAGMA quick_check(1)", NULL, text, sizeof(text)) != SQLITE_ROW)
		return judge_error(db, why);
	if (strcmp(text, "ok") == 0)
		return SQLITE_FILE_GOOD;
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < ' ')
			*at = ' ';
	error_set(why, "%s", text);
	return SQLITE_FILE_DAMAGED;
}

/* database_open() refuses newer versions. */
static enum sqlite_file_state judge_version(sqlite3 *db, struct error *why)
{
	char version[16];
	int result = read_text(db, SETTING, "schema", version, sizeof(version));

	if ((result & 0xff) == SQLITE_ERROR) {
		/* other columns than the store's */
		error_set(why, DATABASE_NOT_THE_STORES);
		return SQLITE_FILE_FOREIGN;
	}
	if (result != SQLITE_ROW || !*version || strtol(version, NULL, 10) >= DATABASE_SCHEMA)
		return SQLITE_FILE_GOOD;
	error_set(why, "the database has version %.15s, but this stint needs %d", version, DATABASE_SCHEMA);
	return SQLITE_FILE_OLDER;
}

static enum sqlite_file_state judge_open(sqlite3 *db, const char *path, struct error *why)
{
	bool is_empty = false;
	enum sqlite_file_state state = judge_tables(db, &is_empty, why);

	if (state == SQLITE_FILE_GOOD)
		state = judge_pages(db, why);
	if (state == SQLITE_FILE_GOOD && sqlite3_db_readonly(db, "main") == 1 && access(path, W_OK) == 0) {
		error_set(why, "its header is damaged: SQLite can only read the file");
		return SQLITE_FILE_DAMAGED;
	}
	return state == SQLITE_FILE_GOOD && !is_empty ? judge_version(db, why) : state;
}

/*
 * When SQLite opens an empty file, it deletes the log, although rows may be only in the log. So look for a log first.
 */
static bool has_log(const char *path)
{
	char name[PATH_MAX + 8];
	struct stat st;

	snprintf(name, sizeof(name), "%s-wal", path);
	return stat(name, &st) == 0 && st.st_size > 0;
}

enum sqlite_file_state sqlite_file_judge(const char *path, const char *setting, char value[SQLITE_FILE_SETTING],
					 struct error *why)
{
	enum sqlite_file_state state = SQLITE_FILE_UNKNOWN;
	sqlite3 *db = NULL;
	int persistent = 1;
	struct stat st;

	*value = '\0';
	if (stat(path, &st) < 0)
		return SQLITE_FILE_GOOD;
	if (!S_ISREG(st.st_mode)) {
		error_set(why, "%.300s: not a file", path);
		return SQLITE_FILE_FOREIGN;
	}
	if (st.st_size == 0) {
		error_set(why, "the file is empty, but its write-ahead log (the -wal file) is not");
		return has_log(path) ? SQLITE_FILE_DAMAGED : SQLITE_FILE_GOOD;
	}
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK) {
		sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
		sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
		sqlite3_file_control(db, NULL, SQLITE_FCNTL_PERSIST_WAL, &persistent);
		sqlite3_busy_timeout(db, WAIT_MS);
		state = judge_open(db, path, why);
		if (state != SQLITE_FILE_FOREIGN)
			read_text(db, SETTING, setting, value, SQLITE_FILE_SETTING);
	}
	sqlite3_close(db);
	return state;
}

/* ---- how it is moved away ---- */

/*
 * in the order of renaming. The database comes last: as long as it has its old name, another --rebuild finds the
 * damage.
 */
static const char *const beside[] = { "-wal", "-shm", "-journal", "" };
#define FILES (sizeof(beside) / sizeof(beside[0]))

/* Renames the first @count files of the database. Returns how many it renamed, with errno set if not all. */
static size_t rename_files(const char *from, const char *to, size_t count)
{
	char old[PATH_MAX + 16], new[PATH_MAX + 16];

	for (size_t i = 0; i < count; i++) {
		snprintf(old, sizeof(old), "%s%s", from, beside[i]);
		snprintf(new, sizeof(new), "%s%s", to, beside[i]);
		if (rename(old, new) < 0 && (errno != ENOENT || !*beside[i]))
			return i;
	}
	return count;
}

static bool is_free(const char *name)
{
	char path[PATH_MAX + 16];
	struct stat st;

	for (size_t i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s%s", name, beside[i]);
		if (lstat(path, &st) == 0 || errno != ENOENT)
			return false;
	}
	return true;
}

static int choose_name(const char *path, char moved[PATH_MAX], struct error *err)
{
	time_t now = time(NULL);
	char stamp[32], number[16] = "";
	struct tm parts;

	gmtime_r(&now, &parts);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &parts);
	for (int i = 2; i < NAMES_MAX; i++) {
		if (snprintf(moved, PATH_MAX, "%s.moved-%s%s", path, stamp, number) >= PATH_MAX - 16)
			return error_set(err, "%.300s: the name is too long", path);
		if (is_free(moved))
			return 0;
		snprintf(number, sizeof(number), "-%d", i);
	}
	return error_set(err, "cannot move %.300s away: no name is free", path);
}

/*
 * Creates the new file with the owner of the old file: if root replaces the database, its owner must be able to write
 * to it. If this fails, SQLite creates the file later.
 */
static void put_empty(const char *path, const struct stat *old)
{
	cleanup_close int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0 && (fchown(fd, old->st_uid, old->st_gid) == 0 || old->st_uid == geteuid()))
		fchmod(fd, old->st_mode & 0666);
}

static void sync_directory(const char *path)
{
	cleanup_free char *name = strdup(path);
	char *end = name ? strrchr(name, '/') : NULL;

	if (end) {
		cleanup_close int fd = -1;

		end[end == name] = '\0';
		fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0)
			fsync(fd);
	}
}

int sqlite_file_move(const char *path, char moved[PATH_MAX], struct error *err)
{
	/* the log is in the directory of the file itself, not of a link to the file */
	cleanup_free char *real = realpath(path, NULL);
	struct stat st;
	size_t done;

	if (!real || stat(real, &st) < 0)
		return error_errno(err, "%.300s", path);
	if (choose_name(real, moved, err) < 0)
		return -1;
	done = rename_files(real, moved, FILES);
	if (done < FILES) {
		error_errno(err, "cannot move %.300s away", real);
		rename_files(moved, real, done);
		return -1;
	}
	put_empty(real, &st);
	sync_directory(real);
	return 0;
}
