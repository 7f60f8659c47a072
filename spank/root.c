/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/root.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Two tries are enough: slurmstepd becomes the job's user only once, before or during the work. More are a reserve. */
#define TRIES 4

struct errand {
	int (*work)(void *data);
	void *data;
	int result;
	int error;
};

/* The direct system call changes only this thread. seteuid() would change all threads. */
static void *as_root(void *data)
{
	struct errand *errand = data;

	if (syscall(SYS_setresuid, -1, 0, -1) < 0)
		errand->result = -1;
	else
		errand->result = errand->work(errand->data);
	errand->error = errno;
	return NULL;
}

static int do_in_thread(int (*work)(void *data), void *data)
{
	struct errand errand = { work, data, -1, 0 };
	pthread_t thread;

	errno = pthread_create(&thread, NULL, as_root, &errand);
	if (errno)
		return -1;
	pthread_join(thread, NULL);
	errno = errand.error;
	return errand.result;
}

static bool was_refused(int result)
{
	return result < 0 && (errno == EACCES || errno == EPERM);
}

int root_do(int (*work)(void *data), void *data)
{
	bool may_be_user = getuid() == 0;
	int result = -1;

	errno = EPERM;
	if (!may_be_user || geteuid() == 0)
		result = work(data);
	for (int i = 0; may_be_user && i < TRIES && was_refused(result); i++)
		result = do_in_thread(work, data);
	return result;
}
