/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "reports/doctor.h"
#include "reports/field.h"
#include "reports/units.h"
#include "spank/message.h"

#define STATUS_MAX (1u << 20)
#define ANSWER_MS 2000

/* What lies in these decides what root does: they are root's alone. */
static void check_directory(struct doctor *doctor, const char *subject, const char *path)
{
	char mend[PATH_MAX + 64];
	struct stat st;

	snprintf(mend, sizeof(mend), "start stintd, which makes it");
	if (lstat(path, &st) < 0) {
		doctor_say(doctor, errno == ENOENT ? DOCTOR_FAIL : DOCTOR_WARN, subject,
			   errno == ENOENT ? mend : "run 'stint doctor' as root", "%s: %s", path, strerror(errno));
		return;
	}
	snprintf(mend, sizeof(mend), "chown root %s; chmod 0700 %s", path, path);
	if (!S_ISDIR(st.st_mode))
		doctor_say(doctor, DOCTOR_FAIL, subject, "remove it, and start stintd", "%s: not a directory", path);
	else if (st.st_uid != 0 || (st.st_mode & 077))
		doctor_say(doctor, DOCTOR_FAIL, subject, mend, "%s: owner %u, mode %04o: not root's alone", path, st.st_uid,
			   st.st_mode & 07777);
	else
		doctor_say(doctor, DOCTOR_OK, subject, NULL, "%s, root's alone", path);
}

/* Asked as the plugin asks, by the same code: what it says here is what a job's start would meet. */
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
	if (errno == EACCES)
		doctor_say(doctor, DOCTOR_WARN, "stintd", "run 'stint doctor' as root", "%s: only root may call there", err.text);
	else
		doctor_say(doctor, DOCTOR_FAIL, "stintd", "systemctl restart stintd, and see its log", "does not answer: %s",
			   err.text);
	return false;
}

/* What the spool's file system allows; stintd's own view of it is in its status. */
static void check_spool(struct doctor *doctor)
{
	static const char mend[] = "make room for it: until then records are kept in run_dir, and go with a reboot";
	const char *path = doctor->conf->spool_dir;
	struct statvfs fs;

	if (geteuid() != 0 || statvfs(path, &fs) < 0)
		return;
	if (fs.f_flag & ST_RDONLY)
		doctor_say(doctor, DOCTOR_WARN, "spool", mend, "%s is mounted read-only", path);
	else if (fs.f_bavail == 0 || (fs.f_files && fs.f_favail == 0))
		doctor_say(doctor, DOCTOR_WARN, "spool", mend, "%s is full", path);
	else if (access(path, W_OK | X_OK) < 0)
		doctor_say(doctor, DOCTOR_WARN, "spool", mend, "%s: %s", path, strerror(errno));
}

static void say_program(struct doctor *doctor, struct json_object *program)
{
	const char *name = field_text(program, "name"), *reason = field_text(program, "reason");
	const char *gap = field_text(program, "gap"), *gap_reason = field_text(program, "gap_reason");
	char subject[96];

	snprintf(subject, sizeof(subject), "program %s", name ? name : "?");
	if (field_true(program, "loaded") && gap)
		doctor_say(doctor, DOCTOR_WARN, subject, NULL, "loaded; not in the reports in whole: %s: %s", gap,
			   gap_reason ? gap_reason : "no reason told");
	else if (field_true(program, "loaded"))
		doctor_say(doctor, DOCTOR_OK, subject, NULL, "loaded");
	else
		doctor_say(doctor, DOCTOR_WARN, subject, NULL, "not loaded: %s; not in the reports: %s",
			   reason ? reason : "no reason told", gap ? gap : "nothing");
}

static void say_spool(struct doctor *doctor, struct json_object *spool)
{
	int64_t records = 0, bytes = 0, damaged = 0, given_up = 0, oldest = 0;
	char size[SIZE_TEXT], since[TIME_TEXT] = "?";

	if (!spool)
		return;
	field_count(spool, "records", &records);
	field_count(spool, "bytes", &bytes);
	field_count(spool, "damaged", &damaged);
	field_count(spool, "given_up", &given_up);
	if (field_count(spool, "oldest_unix_s", &oldest))
		time_text(oldest * 1000000000, since);
	if (records)
		doctor_say(doctor, DOCTOR_WARN, "records", "see stintd's log: it names what each waits for",
			   "%" PRId64 " (%s) wait for their report, the oldest since %s", records, size_text(bytes, size),
			   since);
	if (damaged)
		doctor_say(doctor, DOCTOR_WARN, "records", "look at them in spool_dir/damaged, and remove them",
			   "%" PRId64 " were damaged and are set aside", damaged);
	if (given_up)
		doctor_say(doctor, DOCTOR_WARN, "records", "raise spool_max_age_h or spool_max_mb in stint.conf",
			   "%" PRId64 " were given up since stintd began", given_up);
	if (!records && !damaged && !given_up)
		doctor_say(doctor, DOCTOR_OK, "records", NULL, "none waits for its report");
}

static void say_version(struct doctor *doctor, const char *version)
{
	if (version && strcmp(version, PACKAGE_VERSION) != 0)
		doctor_say(doctor, DOCTOR_WARN, "version", "restart stintd", "stintd is %s, and this is stint " PACKAGE_VERSION,
			   version);
}

static void say_status(struct doctor *doctor, struct json_object *status)
{
	char since[TIME_TEXT] = "?";
	int64_t since_ns;

	if (field_count(status, "since_unix_ns", &since_ns))
		time_text(since_ns, since);
	doctor_say(doctor, DOCTOR_OK, "counting", NULL, "since %s, by stintd %s", since,
		   field_text(status, "version") ? field_text(status, "version") : "?");
	if (field_typed(status, "programs_same", json_type_boolean) && !field_true(status, "programs_same"))
		doctor_say(doctor, DOCTOR_WARN, "build", "restart stintd when it counts no job",
			   "the kernel programs are another build's, of stintd %s: they go on while jobs run",
			   field_text(status, "programs_version") ? field_text(status, "programs_version") : "?");
	say_version(doctor, field_text(status, "version"));
	say_spool(doctor, field_typed(status, "spool", json_type_object));
	if (field_typed(status, "pinned", json_type_boolean) && !field_true(status, "pinned"))
		doctor_say(doctor, DOCTOR_WARN, "pins", "mount a bpffs where bpf_dir is, and restart stintd",
			   "the kernel programs are not pinned: a restart of stintd loses what it counted");
	if (field_typed(status, "hwloc", json_type_boolean) && !field_true(status, "hwloc"))
		doctor_say(doctor, DOCTOR_WARN, "hwloc", "see stintd's log", "it cannot read this machine's topology: "
			   "reports do not tell the cores that a job was bound to");
}

static void check_programs(struct doctor *doctor)
{
	char path[PATH_MAX + 16];
	cleanup_free char *text = NULL;
	cleanup_json struct json_object *status = NULL;
	struct json_object *programs;
	struct error err;
	size_t len;

	snprintf(path, sizeof(path), "%s/status.json", doctor->conf->run_dir);
	text = file_read(AT_FDCWD, path, STATUS_MAX, &len, &err);
	if (text)
		status = field_parse(text, len, path, json_type_object, &err);
	if (!status) {
		doctor_say(doctor, DOCTOR_WARN, "programs", errno == EACCES ? "run 'stint doctor' as root" :
			   "restart stintd, which writes it", "%s", err.text);
		return;
	}
	say_status(doctor, status);
	programs = field_typed(status, "programs", json_type_array);
	for (size_t i = 0; i < field_length(programs); i++)
		say_program(doctor, json_object_array_get_idx(programs, i));
}

void doctor_daemon(struct doctor *doctor)
{
	check_directory(doctor, "run_dir", doctor->conf->run_dir);
	check_directory(doctor, "spool_dir", doctor->conf->spool_dir);
	check_spool(doctor);
	if (check_socket(doctor))
		check_programs(doctor);
}
