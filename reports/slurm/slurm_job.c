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
#include "reports/model/report_make.h"

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
 * Starts the helper. Returns its output for free(); NULL with @err set.
 * @argv: argv[0] is set here.
 * @input: the helper's standard input; NULL for none.
 */
static char *ask(const char *argv[], const char *input, unsigned int wait_ms, size_t *len, struct error *err)
{
	char path[PATH_MAX];

	if (slurm_job_helper(path, err) < 0)
		return NULL;
	argv[0] = path;
	return input ? subprocess_answer(argv, input, wait_ms, ANSWER_MAX, len, err)
		     : subprocess_output(argv, wait_ms, ANSWER_MAX, len, err);
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

/* Reads until the peer closes the connection. Returns the bytes for free(); NULL after SLURM_JOB_WAIT_MS or out of memory. */
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
 * Asks the helper at @socket. Returns true, with *@answer as from ask(), if a helper answered or was too slow.
 * Returns false if no helper answered. The caller must then start a helper.
 */
static bool ask_at(const char *socket, const char *question, char **answer, size_t *length, struct error *err)
{
	cleanup_close int fd = socket ? send_question(socket, question) : -1;

	if (fd < 0)
		return false;
	*answer = read_answer(fd, length);
	if (!*answer) {
		error_set(err, HELPER ": no answer in time");
		return true;
	}
	if (*length && strchr("{[", **answer))
		return true;
	error_set(err, "%.*s", (int)strcspn(*answer, "\n"), *answer);
	free(*answer);
	*answer = NULL;
	return *length;
}

struct slurm_answer *slurm_job(const char *socket, const char *id, struct error *err)
{
	const char *argv[] = { NULL, id, NULL };
	struct slurm_answer *answer;
	size_t length;
	char *text;

	if (!ask_at(socket, id, &text, &length, err))
		text = ask(argv, NULL, SLURM_JOB_WAIT_MS, &length, err);
	answer = text ? slurm_answer_read(text, length, HELPER, err) : NULL;
	if (!answer || slurm_answer_job(answer))
		return answer;
	error_set(err, HELPER ": no job");
	slurm_answer_free(answer);
	return NULL;
}

int slurm_job_expand(const char *socket, const char *node_list, struct report *memory, struct report_texts *names,
		     struct error *err)
{
	const char *argv[] = { NULL, EXPAND, node_list, NULL };
	cleanup_free char *question = NULL, *text = NULL;
	cleanup_json struct json_object *list = NULL;
	size_t length;

	if (socket && asprintf(&question, EXPAND " %s", node_list) < 0)
		question = NULL;
	if (!question || !ask_at(socket, question, &text, &length, err))
		text = ask(argv, NULL, SLURM_JOB_WAIT_MS, &length, err);
	list = text ? field_parse(text, length, HELPER, json_type_array, err) : NULL;
	if (!list)
		return -1;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		report_add_text(memory, names, report_copy(memory, json_object_get_string(json_object_array_get_idx(list, i))));
	return report_lacks_memory(memory) ? error_set(err, "out of memory") : 0;
}

/*
 * Returns the lines for the helper's input that say which job to find in slurmdbd. For free(); NULL with @err set.
 * The helper does not get them as arguments, because every user of the node can see arguments.
 */
static char *lines_of(const char *cluster, const struct record_slurm_job *slurm, const char *more, struct error *err)
{
	char task[48] = "-", *lines;

	if (slurm->job_id < 0 || slurm->user_id < 0 || slurm->submit_unix_s < 0) {
		error_set(err, "Slurm does not say who owns the job and when it was submitted");
		return NULL;
	}
	if (slurm->array_job_id >= 0 && slurm->array_task_id >= 0)
		snprintf(task, sizeof(task), "%" PRId64 "_%" PRId64, slurm->array_job_id, slurm->array_task_id);
	if (asprintf(&lines, "%s\n%" PRId64 "\n%s\n%" PRId64 "\n%" PRId64 "\n%s", cluster, slurm->job_id, task, slurm->user_id,
		     slurm->submit_unix_s, more) >= 0)
		return lines;
	error_set(err, "out of memory");
	return NULL;
}

/*
 * Asks slurmdbd about a job. Returns the answer for json_object_put(); NULL with @err set.
 * @input: the result of lines_of(); freed here. If NULL, lines_of() has set @err.
 */
static struct json_object *ask_slurmdbd(const char *option, char *input, enum json_type type, struct error *err)
{
	const char *argv[] = { NULL, option, NULL };
	cleanup_free char *lines = input, *answer = NULL;
	size_t length;

	answer = lines ? ask(argv, lines, SLURM_JOB_COMMENT_WAIT_MS, &length, err) : NULL;
	return answer ? field_parse(answer, length, HELPER, type, err) : NULL;
}

int slurm_job_comment(const char *cluster, const struct record_slurm_job *slurm, const char *text, struct error *err)
{
	cleanup_json struct json_object *answer = NULL;
	cleanup_free char *line = NULL;

	if (asprintf(&line, "%s\n", text) < 0) {
		line = NULL;
		return error_set(err, "out of memory");
	}
	answer = ask_slurmdbd("--comment", lines_of(cluster, slurm, line, err), json_type_boolean, err);
	return answer ? 0 : -1;
}

int slurm_job_steps(const char *cluster, const struct record_slurm_job *slurm, struct slurm_steps *steps, struct error *err)
{
	cleanup_json struct json_object *answer =
		ask_slurmdbd("--steps", lines_of(cluster, slurm, "", err), json_type_array, err);

	*steps = (struct slurm_steps){ .count = field_length(answer) };
	if (!answer)
		return -1;
	steps->list = calloc(steps->count + 1, sizeof(*steps->list));
	if (!steps->list)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < steps->count; i++) {
		struct json_object *from = json_object_array_get_idx(answer, i);
		struct slurm_step *step = &steps->list[i];

		step->id = step->elapsed_s = -1;
		field_count(from, "id", &step->id);
		field_count(from, "elapsed_s", &step->elapsed_s);
		step->timed_out = field_true(from, "timed_out");
	}
	return 0;
}
