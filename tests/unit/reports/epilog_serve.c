/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that a writer forked by the resident stint-epilog is like one that stintd started.
 * It inherits nothing of another writer's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/memory/memory_limit.h"
#include "common/process/writer_process.h"
#include "reports/deliver/epilog_serve.h"

#define FIRST "/spool/of-another-user"
#define SECOND "/spool/his"
#define STATUS 75

static pid_t server, test_pid;
static int server_fd;

/* What a writer found wrong, as its exit status. */
enum wrong { FINE = STATUS, DESCRIPTORS = 80, PARENT, PATH, MEMORY, ENVIRONMENT, DEATH, USED };

static bool has_only_standard_descriptors(void)
{
	char target[64] = "";

	for (int fd = 3; fd < 64; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return false;
	return readlink("/proc/self/fd/0", target, sizeof(target) - 1) > 0 && strcmp(target, "/dev/null") == 0;
}

#ifdef MEMORY_SANITIZED
#define SHADOWED 1 /* terabytes of the sanitizer's own memory, which must not be read */
#else
#define SHADOWED 0
#endif

/*
 * Returns whether any writable memory of the program, except its stack, contains @text.
 * Does not look if a sanitizer has its own memory there.
 */
static bool memory_has(const char *text)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4096], *from, *to;

	while (!SHADOWED && maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%p-%p rw", (void **)&from, (void **)&to) == 2 && strstr(line, " rw-p ") &&
		    !strstr(line, "[stack]") && memmem(from, to - from, text, strlen(text)))
			return true;
	fclose(maps);
	return false;
}

static int look(const char *record, bool first)
{
	struct rusage used;
	/* Not as one text, which would itself be found. */
	char other[] = { '/', 's', 'p', 'o', 'o', 'l', '/', 'o', 'f', '-', 'a', 'n', 'o', 't', 'h', 'e', 'r', '\0' };
	int signal_of_death = -1;

	puts("why");
	if (strcmp(record, "sleep") == 0) {
		fflush(stdout);
		pause();
	}
	if (strcmp(record, "crash") == 0)
		raise(SIGKILL);
	if (!has_only_standard_descriptors())
		return DESCRIPTORS;
	if (getppid() != test_pid)
		return PARENT;
	if ((strcmp(record, SECOND) != 0 && strcmp(record, FIRST) != 0) || !first)
		return PATH;
	if (strcmp(record, SECOND) == 0 && memory_has(other))
		return MEMORY;
	if (getenv("LD_BIND_NOW") || !getenv("PATH"))
		return ENVIRONMENT;
	if (prctl(PR_GET_PDEATHSIG, &signal_of_death) < 0 || signal_of_death)
		return DEATH;
	if (getrusage(RUSAGE_SELF, &used) < 0 || used.ru_utime.tv_sec || used.ru_stime.tv_sec)
		return USED;
	return FINE;
}

static int read_pid(void)
{
	struct writer_answer answer;

	assert_int_equal(recv(server_fd, &answer, sizeof(answer), 0), sizeof(answer));
	return answer.pid;
}

static int begin(void **state)
{
	int ends[2];

	(void)state;
	test_pid = getpid();
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	server = fork();
	if (server == 0) {
		setenv("LD_BIND_NOW", "1", 1);
		dup2(ends[1], STDIN_FILENO);
		close_range(3, ~0U, 0);
		_exit(epilog_serve(look));
	}
	close(ends[1]);
	server_fd = ends[0];
	assert_int_equal(read_pid(), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	close(server_fd);
	waitpid(server, NULL, 0);
	return 0;
}

/* Calls for a writer of @record. Returns the writer's pid. *@why: where the writer prints */
static int call(const char *record, int *why)
{
	struct writer_call call = { .first = true };
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .header = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	struct iovec data = { &call, offsetof(struct writer_call, record) + strlen(record) + 1 };
	const struct msghdr envelope = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
					 .msg_controllen = sizeof(control) };

	*why = memfd_create("why", MFD_CLOEXEC);
	strcpy(call.record, record);
	memcpy(CMSG_DATA(&control.header), why, sizeof(*why));
	assert_int_equal(sendmsg(server_fd, &envelope, MSG_NOSIGNAL), data.iov_len);
	return read_pid();
}

static int status_of(pid_t pid)
{
	int status;

	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void assert_said(int why)
{
	char text[8] = "";

	assert_int_equal(pread(why, text, sizeof(text) - 1, 0), 4);
	assert_string_equal(text, "why\n");
	close(why);
}

static void a_writer_is_its_parents_child_and_has_nothing_of_another(void **state)
{
	int why, status;

	(void)state;
	status = status_of(call(FIRST, &why));
	assert_int_equal(WEXITSTATUS(status), FINE);
	assert_said(why);
	status = status_of(call(SECOND, &why));
	assert_int_equal(WEXITSTATUS(status), FINE);
	assert_said(why);
}

static void a_writer_that_dies_harms_no_other(void **state)
{
	int why, status;

	(void)state;
	status = status_of(call("crash", &why));
	assert_true(WIFSIGNALED(status));
	close(why);
	status = status_of(call(SECOND, &why));
	assert_int_equal(WEXITSTATUS(status), FINE);
	assert_said(why);
}

static void a_writer_goes_on_where_it_ends(void **state)
{
	int why, status, one = call("sleep", &why), other;
	char byte;

	(void)state;
	while (pread(why, &byte, 1, 0) != 1)
		usleep(1000);
	kill(server, SIGKILL);
	assert_int_equal(waitpid(server, NULL, 0), server);
	other = waitpid(one, &status, WNOHANG);
	assert_int_equal(other, 0);
	kill(one, SIGTERM);
	status = status_of(one);
	assert_int_equal(WTERMSIG(status), SIGTERM);
	assert_said(why);
}

static void what_is_no_call_is_left_alone(void **state)
{
	int why, status;

	(void)state;
	assert_int_equal(send(server_fd, "x", 1, MSG_NOSIGNAL), 1);
	status = status_of(call(SECOND, &why));
	assert_int_equal(WEXITSTATUS(status), FINE);
	assert_said(why);
}

static void it_ends_when_nobody_can_call(void **state)
{
	int status;

	(void)state;
	shutdown(server_fd, SHUT_RDWR);
	status = status_of(server);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_writer_is_its_parents_child_and_has_nothing_of_another, begin, end),
		cmocka_unit_test_setup_teardown(a_writer_that_dies_harms_no_other, begin, end),
		cmocka_unit_test_setup_teardown(a_writer_goes_on_where_it_ends, begin, end),
		cmocka_unit_test_setup_teardown(what_is_no_call_is_left_alone, begin, end),
		cmocka_unit_test_setup_teardown(it_ends_when_nobody_can_call, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
