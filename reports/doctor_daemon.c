/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "reports/doctor.h"
#include "reports/field.h"
#include "reports/units.h"
#include "spank/control.h"

#define STATUS_MAX (1u << 20)

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

static bool check_socket(struct doctor *doctor)
{
	cleanup_close int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (snprintf(address.sun_path, sizeof(address.sun_path), "%s/" CONTROL_SOCKET, doctor->conf->run_dir) >=
	    (int)sizeof(address.sun_path)) {
		doctor_say(doctor, DOCTOR_FAIL, "stintd", "choose a shorter run_dir", "run_dir %s: too long for a socket",
			   doctor->conf->run_dir);
		return false;
	}
	if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0) {
		doctor_say(doctor, DOCTOR_OK, "stintd", NULL, "answers at %s", address.sun_path);
		return true;
	}
	if (errno == EACCES)
		doctor_say(doctor, DOCTOR_WARN, "stintd", "run 'stint doctor' as root", "only root may call at %s",
			   address.sun_path);
	else if (errno == EAGAIN)
		doctor_say(doctor, DOCTOR_FAIL, "stintd", "systemctl restart stintd", "hangs: nobody takes calls at %s",
			   address.sun_path);
	else
		doctor_say(doctor, DOCTOR_FAIL, "stintd", "systemctl start stintd", "does not run: %s: %s",
			   address.sun_path, strerror(errno));
	return false;
}

static void say_program(struct doctor *doctor, struct json_object *program)
{
	const char *name = field_text(program, "name"), *reason = field_text(program, "reason");
	const char *gap = field_text(program, "gap");
	char subject[96];

	snprintf(subject, sizeof(subject), "program %s", name ? name : "?");
	if (field_true(program, "loaded"))
		doctor_say(doctor, DOCTOR_OK, subject, NULL, "loaded");
	else
		doctor_say(doctor, DOCTOR_WARN, subject, NULL, "not loaded: %s; not in the reports: %s",
			   reason ? reason : "no reason told", gap ? gap : "nothing");
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
	if (check_socket(doctor))
		check_programs(doctor);
}
