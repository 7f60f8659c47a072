/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/slurm/slurm_job.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/process/subprocess.h"
#include "reports/json/field.h"

#define HELPER SLURM_JOB_HELPER
#define EXPAND "--expand"
#define ANSWER_MAX (1u << 20)

int slurm_job_helper(char path[PATH_MAX], struct error *err)
{
	const char *directory = secure_getenv("STINT_LIBEXEC");

	snprintf(path, PATH_MAX, "%s/" HELPER, directory ? directory : LIBEXECDIR);
	if (access(path, X_OK) == 0)
		return 0;
	return error_errno(err, "stint's helper program %.300s, which asks Slurm, cannot be run (package stint-slurm)", path);
}

/*
 * @argv[0]: set here
 * @input: what the helper reads; NULL: nothing
 */
static struct json_object *ask(const char *argv[], const char *input, unsigned int wait_ms, enum json_type type,
			       struct error *err)
{
	cleanup_free char *answer = NULL;
	char path[PATH_MAX];
	size_t len;

	if (slurm_job_helper(path, err) < 0)
		return NULL;
	argv[0] = path;
	answer = input ? subprocess_answer(argv, input, wait_ms, ANSWER_MAX, &len, err)
		       : subprocess_output(argv, wait_ms, ANSWER_MAX, &len, err);
	if (!answer)
		return NULL;
	return field_parse(answer, len, HELPER, type, err);
}

static int send_question(const char *path, const char *question)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	if (strlen(path) >= sizeof(address.sun_path))
		return -1;
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    send(fd, question, strlen(question), MSG_NOSIGNAL) == (ssize_t)strlen(question))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/*
 * Returns all that arrives until the peer closes, to be freed, with its length; NULL when that takes too long or memory
 * is short.
 */
static char *read_answer(int fd, size_t *length)
{
	int64_t end_ms = clock_ms() + SLURM_JOB_WAIT_MS;
	cleanup_free char *answer = malloc(ANSWER_MAX + 1);
	char *whole = answer;

	*length = 0;
	while (answer) {
		struct pollfd ready = { fd, POLLIN, 0 };
		int64_t left = end_ms - clock_ms();
		ssize_t n;

		if (left <= 0 || (poll(&ready, 1, (int)left) < 0 && errno != EINTR))
			return NULL;
		n = recv(fd, answer + *length, ANSWER_MAX - *length, 0);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n <= 0)
			break;
		*length += n;
	}
	if (answer)
		answer[*length] = '\0';
	answer = NULL;
	return whole;
}

/*
 * Asks at @socket. Returns true when that gave an answer; *@result is then set as ask() returns it. Returns false when
 * nobody answers there, or the server turned us away without a word: then the caller starts the helper itself.
 */
static bool ask_at(const char *socket, const char *question, enum json_type type, struct json_object **result,
		   struct error *err)
{
	cleanup_close int fd = socket ? send_question(socket, question) : -1;
	cleanup_free char *answer = NULL;
	size_t length;

	if (fd < 0)
		return false;
	answer = read_answer(fd, &length);
	*result = NULL;
	if (!answer)
		error_set(err, HELPER ": no answer in time");
	else if (length && strchr("{[", *answer))
		*result = field_parse(answer, length, HELPER, type, err);
	else
		error_set(err, "%.*s", (int)strcspn(answer, "\n"), answer);
	return !answer || length;
}

struct json_object *slurm_job(const char *socket, const char *id, struct error *err)
{
	const char *argv[] = { NULL, id, NULL };
	struct json_object *answer;

	if (ask_at(socket, id, json_type_object, &answer, err))
		return answer;
	return ask(argv, NULL, SLURM_JOB_WAIT_MS, json_type_object, err);
}

struct json_object *slurm_job_expand(const char *socket, const char *node_list, struct error *err)
{
	const char *argv[] = { NULL, EXPAND, node_list, NULL };
	cleanup_free char *question = NULL;
	struct json_object *answer;

	if (socket && asprintf(&question, EXPAND " %s", node_list) < 0)
		question = NULL;
	if (question && ask_at(socket, question, json_type_array, &answer, err))
		return answer;
	return ask(argv, NULL, SLURM_JOB_WAIT_MS, json_type_array, err);
}

/*
 * Returns the lines by which the helper finds the job in slurmdbd, followed by @more, to be freed; NULL with @err set. Whose job it
 * is and what it used is not for each user of the node, who sees the arguments of the helper.
 */
static char *lines_of(const char *cluster, struct json_object *slurm, const char *more, struct error *err)
{
	int64_t id, user, time, array_id, array_task;
	char task[48] = "-", *lines;

	if (!field_count(slurm, "job_id", &id) || !field_count(slurm, "user_id", &user) ||
	    !field_count(slurm, "submit_unix_s", &time)) {
		error_set(err, "Slurm does not say whose job it is and when it was submitted");
		return NULL;
	}
	if (field_count(slurm, "array_job_id", &array_id) && field_count(slurm, "array_task_id", &array_task))
		snprintf(task, sizeof(task), "%" PRId64 "_%" PRId64, array_id, array_task);
	if (asprintf(&lines, "%s\n%" PRId64 "\n%s\n%" PRId64 "\n%" PRId64 "\n%s", cluster, id, task, user, time, more) >= 0)
		return lines;
	error_set(err, "out of memory");
	return NULL;
}

int slurm_job_comment(const char *cluster, struct json_object *slurm, const char *text, struct error *err)
{
	const char *argv[] = { NULL, "--comment", NULL };
	cleanup_free char *line = NULL, *input = NULL;
	struct json_object *answer;

	if (asprintf(&line, "%s\n", text) < 0) {
		line = NULL;
		return error_set(err, "out of memory");
	}
	input = lines_of(cluster, slurm, line, err);
	answer = input ? ask(argv, input, SLURM_JOB_COMMENT_WAIT_MS, json_type_boolean, err) : NULL;
	json_object_put(answer);
	return answer ? 0 : -1;
}

struct json_object *slurm_job_steps(const char *cluster, struct json_object *slurm, struct error *err)
{
	const char *argv[] = { NULL, "--steps", NULL };
	cleanup_free char *input = lines_of(cluster, slurm, "", err);

	return input ? ask(argv, input, SLURM_JOB_COMMENT_WAIT_MS, json_type_array, err) : NULL;
}
