/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/security/forbidden.h"
#include "common/time_text.h"
#include "reports/doctor/doctor.h"
#include "reports/files/user_namespace.h"
#include "reports/json/field.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "spank/message.h"

#define STATUS_MAX (1u << 20)
#define ANSWER_MS 2000

/* stintd makes only the last directory of a path. @why: errno */
static void say_not_found(struct doctor *doctor, const char *subject, const char *path, int why)
{
	char mend[PATH_MAX + 64], parent[PATH_MAX];
	char *end;

	snprintf(parent, sizeof(parent), "%s", path);
	end = strrchr(parent, '/');
	if (end > parent)
		*end = '\0';
	if (why == EACCES)
		snprintf(mend, sizeof(mend), "run 'stint doctor' as root");
	else if (why != ENOENT)
		snprintf(mend, sizeof(mend), "name another %s in stint.conf, and restart stintd", subject);
	else if (end > parent && access(parent, F_OK) < 0)
		snprintf(mend, sizeof(mend), "mkdir -p %s, and restart stintd, which makes the rest", parent);
	else
		snprintf(mend, sizeof(mend), "start stintd, which makes it");
	doctor_say(doctor, why == EACCES ? DOCTOR_WARN : DOCTOR_FAIL, subject, mend, "%s: %s", path, strerror(why));
}

/* Files in this directory decide what root does, so only root may write there. */
static void check_directory(struct doctor *doctor, const char *subject, const char *path)
{
	char mend[2 * PATH_MAX + 128];
	struct stat st;

	if (lstat(path, &st) < 0) {
		say_not_found(doctor, subject, path, errno);
		return;
	}
	/* Do not advise to change the rights of a directory that other users need, for example /tmp. */
	if (st.st_mode & (S_ISVTX | S_IWOTH))
		snprintf(mend, sizeof(mend), "name a directory of stint's own as %s in stint.conf, and restart stintd", subject);
	else
		snprintf(mend, sizeof(mend), "%s%s%s%s%s, unless others use the directory: then name another one in stint.conf",
			 st.st_uid ? "chown root " : "", st.st_uid ? path : "", st.st_uid && (st.st_mode & 077) ? "; " : "",
			 st.st_mode & 077 ? "chmod 0700 " : "", st.st_mode & 077 ? path : "");
	if (!S_ISDIR(st.st_mode)) {
		snprintf(mend, sizeof(mend), "rm %s; systemctl restart stintd", path);
		doctor_say(doctor, DOCTOR_FAIL, subject, mend, "%s: not a directory", path);
	} else if (user_namespace_hides(st.st_uid))
		doctor_say(doctor, DOCTOR_WARN, subject, "run 'stint doctor' outside of this container",
			   "%s: stint cannot see its owner from within a user namespace", path);
	else if (st.st_uid != 0 || (st.st_mode & 077))
		doctor_say(doctor, DOCTOR_FAIL, subject, mend, "%s: owner %u, mode %04o: not only root has access", path, st.st_uid,
			   st.st_mode & 07777);
	else
		doctor_say(doctor, DOCTOR_OK, subject, NULL, "%s, only root has access", path);
}

/* Uses the plugin's code. So this check fails if a starting job would also fail to reach stintd. */
static bool check_socket(struct doctor *doctor)
{
	struct control_message hello;
	struct control_reply reply;
	struct error err;

	message_init(&hello, CONTROL_HELLO, CONTROL_MODE_DEFAULT);
	errno = 0;
	if (message_send(doctor->conf->run_dir, &hello, ANSWER_MS, &reply, &err) == 0) {
		doctor_say(doctor, DOCTOR_OK, "stintd", NULL, "answers at %s/" CONTROL_SOCKET, doctor->conf->run_dir);
		return true;
	}
	if (errno == EACCES) {
		doctor_say(doctor, DOCTOR_WARN, "stintd", "run 'stint doctor' as root", "%s: only root may connect to "
											"stintd", err.text);
		return false;
	}
	doctor_say(doctor, DOCTOR_FAIL, "stintd", errno == ENOENT ? "systemctl enable --now stintd" :
		   "systemctl restart stintd, and read its log: journalctl -u stintd", "does not answer: %s", err.text);
	if (forbidden_by_selinux())
		doctor_say(doctor, DOCTOR_INFO, "SELinux", NULL, FORBIDDEN_BY_SELINUX);
	return false;
}

/* Checks the spool as this process sees it. stintd's status has stintd's view. */
static void check_spool(struct doctor *doctor)
{
#define UNTIL_THEN "Until then, records are kept in run_dir, and are lost at a reboot"
	static const char mend[] = "make room for it. " UNTIL_THEN;
	static const char closed[] = "find out why root cannot write there (ls -ld, lsattr -d). " UNTIL_THEN;
	const char *path = doctor->conf->spool_dir;
	struct statvfs fs;

	if (geteuid() != 0 || statvfs(path, &fs) < 0)
		return;
	if (fs.f_flag & ST_RDONLY)
		doctor_say(doctor, DOCTOR_WARN, "spool", "mount it writable. " UNTIL_THEN, "%s is mounted read-only", path);
	else if (fs.f_bavail == 0 || (fs.f_files && fs.f_favail == 0))
		doctor_say(doctor, DOCTOR_WARN, "spool", mend, "%s is full", path);
	else if (access(path, W_OK | X_OK) < 0)
		doctor_say(doctor, DOCTOR_WARN, "spool", closed, "%s: %s", path, strerror(errno));
}

/*
 * Returns DOCTOR_INFO if reports lack nothing, or if the site decided so in stint.conf.
 *
 * @gap: what reports lack; may be NULL
 */
static enum doctor_level missing_level(const char *reason, const char *gap)
{
	return !gap || (reason && strstr(reason, "stint.conf")) ? DOCTOR_INFO : DOCTOR_WARN;
}

static void say_program(struct doctor *doctor, struct json_object *program)
{
	const char *name = field_text(program, "name"), *reason = field_text(program, "reason");
	const char *gap = field_text(program, "gap"), *gap_reason = field_text(program, "gap_reason");
	char subject[96];

	snprintf(subject, sizeof(subject), "program %s", name ? name : "?");
	if (field_true(program, "loaded"))
		doctor_say(doctor, missing_level(gap_reason, gap), subject, NULL, "loaded, but reports have only a part of what it "
										  "counts: %s: %s", gap,
			   gap_reason ? gap_reason : "no reason given");
	else
		doctor_say(doctor, missing_level(reason, gap), subject, NULL, "not loaded: %s; %s%s",
			   reason ? reason : "no reason given",
			   gap ? "not in the reports: " : "the reports lack nothing", gap ? gap : "");
}

static void say_programs(struct doctor *doctor, struct json_object *programs)
{
	char names[2048] = "";
	size_t used = 0, count = 0;

	for (size_t i = 0; i < field_length(programs); i++) {
		struct json_object *program = json_object_array_get_idx(programs, i);
		const char *name = field_text(program, "name");

		if (!field_true(program, "loaded") || field_text(program, "gap")) {
			say_program(doctor, program);
			continue;
		}
		if (used < sizeof(names))
			used += snprintf(names + used, sizeof(names) - used, "%s%s", count ? ", " : "", name ? name : "?");
		count++;
	}
	doctor_say(doctor, DOCTOR_OK, "programs", NULL, "%zu of %zu kernel programs are loaded: %s", count, field_length(programs), names);
}

static void say_features(struct doctor *doctor, struct json_object *features)
{
	size_t there = 0, count = field_length(features);

	for (size_t i = 0; i < count; i++) {
		struct json_object *feature = json_object_array_get_idx(features, i);
		const char *kind = field_text(feature, "kind"), *name = field_text(feature, "name");
		const char *since = field_text(feature, "since"), *without = field_text(feature, "without");
		bool costs = field_true(feature, "costs");

		if (field_true(feature, "present")) {
			there++;
			continue;
		}
		doctor_say(doctor, costs ? DOCTOR_WARN : DOCTOR_INFO, "kernel feature", NULL,
			   "no %s %s, which came with Linux %s: %s", kind ? kind : "", name ? name : "?", since ? since : "?",
			   without ? without : "nothing can be counted");
	}
	if (count)
		doctor_say(doctor, DOCTOR_OK, "kernel features", NULL, "this kernel has %zu of the %zu features that stint uses, and "
								       "all that it needs",
			   there, count);
}

static void say_spool(struct doctor *doctor, struct json_object *spool)
{
	char mend[PATH_MAX + 64];
	int64_t damaged = 0, given_up = 0;

	if (!spool)
		return;
	field_count(spool, "damaged", &damaged);
	field_count(spool, "given_up", &given_up);
	snprintf(mend, sizeof(mend), "look at them, and remove them: ls -l %s/damaged", doctor->conf->spool_dir);
	if (damaged)
		doctor_say(doctor, DOCTOR_WARN, "records", mend,
			   "%" PRId64 " were damaged and are set aside", damaged);
	if (given_up)
		doctor_say(doctor, DOCTOR_WARN, "records", "raise spool_max_age_h or spool_max_mb in stint.conf",
			   "%" PRId64 " were given up since stintd began", given_up);
}

/* spool_dir has no room, so the records are only in stintd's memory. */
static void say_held(struct doctor *doctor, struct json_object *reports, struct json_object *spool)
{
	int64_t waiting = 0, records = 0;

	if (field_count(reports, "waiting", &waiting) && field_count(spool, "records", &records) && waiting > records)
		doctor_say(doctor, DOCTOR_WARN, "records", "make room in spool_dir",
			   "%" PRId64 " more %s in stintd's memory: spool_dir has no room for %s", waiting - records,
			   plural_verb(waiting - records, "is", "are"), plural_verb(waiting - records, "it", "them"));
}

static void say_jobs(struct doctor *doctor, struct json_object *jobs)
{
	int64_t open = 0, overdue = 0, closed = 0, without = 0;

	if (!jobs)
		return;
	field_count(jobs, "open", &open);
	field_count(jobs, "overdue", &overdue);
	field_count(jobs, "closed", &closed);
	field_count(jobs, "without_since_epilog", &without);
	if (overdue || without)
		doctor_say(doctor, DOCTOR_FAIL, "epilogs",
			   "restart slurmd: it runs stint's epilog only if stint's line was in plugstack.conf when it started",
			   "%" PRId64 " job%s too long for an epilog, and %" PRId64
			   " %s closed without one since the last epilog came", overdue, plural_verb(overdue, " waits", "s wait"),
			   without, plural_verb(without, "was", "were"));
	else
		doctor_say(doctor, DOCTOR_OK, "jobs", NULL, "%" PRId64 " open, %" PRId64 " closed since stintd began", open, closed);
}

static void say_writers(struct doctor *doctor, struct json_object *writers)
{
	int64_t waiting = 0, held_up = 0;

	field_count(writers, "waiting", &waiting);
	field_count(writers, "held_up", &held_up);
	if (waiting || held_up)
		doctor_say(doctor, waiting ? DOCTOR_WARN : DOCTOR_OK, "writers", waiting ? "see stintd's log, which names the "
											   "users" : NULL,
			   "%" PRId64 " report%s for a writer; %" PRId64 " writer%s", waiting, plural_verb(waiting, " waits", "s wait"),
			   held_up, plural_verb(held_up, " waits for other nodes or hangs", "s wait for other nodes or hang"));
}

/* Returns true if the store accepts no lines. */
static bool say_store(struct doctor *doctor, struct json_object *store)
{
	int64_t batches = 0, bytes = 0, dropped = 0, since = 0;
	char text[TIME_TEXT], size[SIZE_TEXT];
	bool fails;

	if (!store)
		return false;
	field_count(store, "batches", &batches);
	field_count(store, "bytes", &bytes);
	field_count(store, "dropped", &dropped);
	fails = field_count(store, "failing_since_unix_s", &since);
	if (fails)
		doctor_say(doctor, DOCTOR_WARN, "store", "fix what the reason names: the lines wait until then",
			   "the store has accepted no lines since %s: %s; %" PRId64 " batch%s (%s) %s",
			   time_text(since * NS_PER_S, text), field_text(store, "reason") ? field_text(store, "reason") : "?",
			   batches, plural_es(batches), size_text(bytes, size), plural_verb(batches, "waits", "wait"));
	if (dropped)
		doctor_say(doctor, DOCTOR_WARN, "store", "raise store_backlog_mb in stint.conf",
			   "%" PRId64 " line%s dropped since this machine started", dropped, plural_verb(dropped, " was", "s were"));
	return fails;
}

static void say_version(struct doctor *doctor, const char *version)
{
	if (version && strcmp(version, PACKAGE_VERSION) != 0)
		doctor_say(doctor, DOCTOR_WARN, "version", "restart stintd", "stintd is %s, but this is stint " PACKAGE_VERSION,
			   version);
}

/* Returns true if the store accepts no lines. */
static bool say_status(struct doctor *doctor, struct json_object *status)
{
	char since[TIME_TEXT] = "?";
	bool store_fails;
	int64_t since_ns;

	if (field_count(status, "since_unix_ns", &since_ns))
		time_text(since_ns, since);
	doctor_say(doctor, DOCTOR_OK, "counting", NULL, "since %s, by stintd %s", since,
		   field_text(status, "version") ? field_text(status, "version") : "?");
	if (field_typed(status, "programs_same", json_type_boolean) && !field_true(status, "programs_same"))
		doctor_say(doctor, DOCTOR_WARN, "build", "restart stintd while no job runs",
			   "the kernel programs are those of another build, stintd %s: they stay while jobs run",
			   field_text(status, "programs_version") ? field_text(status, "programs_version") : "?");
	say_version(doctor, field_text(status, "version"));
	say_spool(doctor, field_typed(status, "spool", json_type_object));
	say_held(doctor, field_typed(status, "reports", json_type_object), field_typed(status, "spool", json_type_object));
	say_jobs(doctor, field_typed(status, "jobs", json_type_object));
	say_writers(doctor, field_typed(status, "writers", json_type_object));
	store_fails = say_store(doctor, field_typed(status, "store", json_type_object));
	if (field_typed(status, "pinned", json_type_boolean) && !field_true(status, "pinned"))
		doctor_say(doctor, DOCTOR_WARN, "pins", "mount a bpffs where bpf_dir is, and restart stintd",
			   "the kernel programs are not pinned, so stintd loses what it has counted when it restarts");
	if (field_typed(status, "hwloc", json_type_boolean) && !field_true(status, "hwloc"))
		doctor_say(doctor, DOCTOR_WARN, "hwloc", "see stintd's log", "it cannot read this machine's topology: "
			   "reports lack the cores that a job was bound to");
	return store_fails;
}

static bool check_programs(struct doctor *doctor)
{
	char path[PATH_MAX + 16];
	cleanup_free char *text = NULL;
	cleanup_json struct json_object *status = NULL;
	struct error err;
	bool store_fails;
	size_t len;

	snprintf(path, sizeof(path), "%s/status.json", doctor->conf->run_dir);
	text = file_read(AT_FDCWD, path, STATUS_MAX, &len, &err);
	if (text)
		status = field_parse(text, len, path, json_type_object, &err);
	if (!status) {
		doctor_say(doctor, DOCTOR_WARN, "programs", errno == EACCES ? "run 'stint doctor' as root" :
			   "restart stintd, which writes it", "%s", err.text);
		return false;
	}
	store_fails = say_status(doctor, status);
	say_features(doctor, field_typed(status, "features", json_type_array));
	say_programs(doctor, field_typed(status, "programs", json_type_array));
	return store_fails;
}

void doctor_daemon(struct doctor *doctor)
{
	check_directory(doctor, "run_dir", doctor->conf->run_dir);
	check_directory(doctor, "spool_dir", doctor->conf->spool_dir);
	check_spool(doctor);
	doctor_store_dir(doctor);
	doctor_waiting(doctor, check_socket(doctor) && check_programs(doctor));
}
