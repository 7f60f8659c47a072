/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests' GPU: a character device that this program serves through CUSE, and the programs that use it.
 *
 *   gpudevice serve NAME [MAJOR MINOR]
 *     Makes /dev/NAME. /proc/devices shows NAME as the name of the device's major number.
 *
 *   gpudevice ioctl|read|poll|select DEVICE MS
 *     Opens DEVICE, waits for it for MS milliseconds by this system call, and prints the measured wait in nanoseconds.
 *
 *   gpudevice open DEVICE COUNT
 *     Opens and closes DEVICE COUNT times.
 *
 * Each wait lasts as long as its caller asks for: in the number of ioctl(), or by what it wrote before.
 */
#define FUSE_USE_VERSION 35
#include <cuse_lowlevel.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse_lowlevel.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define WAIT_IOCTL _IO('G', 1)
#define NAME_MAX_BYTES 64

/* An open file of the device. */
struct opened {
	_Atomic int64_t ready_ns; /* CLOCK_MONOTONIC; 0: nobody has asked for a wait */
	_Atomic long wait_ms;
};

struct notice {
	struct fuse_pollhandle *handle;
	int64_t at_ns;
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	struct timespec until = { ns / 1000000000, ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static void serve_open(fuse_req_t request, struct fuse_file_info *info)
{
	struct opened *file = calloc(1, sizeof(*file));

	if (!file) {
		fuse_reply_err(request, ENOMEM);
		return;
	}
	info->fh = (uintptr_t)file;
	fuse_reply_open(request, info);
}

static void serve_release(fuse_req_t request, struct fuse_file_info *info)
{
	free((void *)(uintptr_t)info->fh);
	fuse_reply_err(request, 0);
}

static void serve_read(fuse_req_t request, size_t size, off_t offset, struct fuse_file_info *info)
{
	struct opened *file = (void *)(uintptr_t)info->fh;

	(void)size;
	(void)offset;
	sleep_until(now_ns() + file->wait_ms * INT64_C(1000000));
	fuse_reply_buf(request, "x", 1);
}

/* The text is how long the next wait lasts, in milliseconds. */
static void serve_write(fuse_req_t request, const char *text, size_t size, off_t offset, struct fuse_file_info *info)
{
	struct opened *file = (void *)(uintptr_t)info->fh;
	char number[16] = "";

	(void)offset;
	memcpy(number, text, size < sizeof(number) ? size : sizeof(number) - 1);
	file->wait_ms = strtol(number, NULL, 10);
	file->ready_ns = now_ns() + file->wait_ms * INT64_C(1000000);
	fuse_reply_write(request, size);
}

static void serve_ioctl(fuse_req_t request, int command, void *argument, struct fuse_file_info *info, unsigned int flags,
			const void *in, size_t in_size, size_t out_size)
{
	(void)info;
	(void)flags;
	(void)in;
	(void)in_size;
	(void)out_size;
	if ((unsigned int)command != WAIT_IOCTL) {
		fuse_reply_err(request, ENOTTY);
		return;
	}
	sleep_until(now_ns() + (int64_t)(uintptr_t)argument * 1000000);
	fuse_reply_ioctl(request, 0, NULL, 0);
}

static void *notify(void *data)
{
	struct notice *notice = data;

	sleep_until(notice->at_ns);
	fuse_lowlevel_notify_poll(notice->handle);
	fuse_pollhandle_destroy(notice->handle);
	free(notice);
	return NULL;
}

static void notify_later(struct fuse_pollhandle *handle, int64_t at_ns)
{
	struct notice *notice = malloc(sizeof(*notice));
	pthread_t thread;

	if (notice) {
		*notice = (struct notice){ handle, at_ns };
		if (pthread_create(&thread, NULL, notify, notice) == 0) {
			pthread_detach(thread);
			return;
		}
	}
	free(notice);
	fuse_pollhandle_destroy(handle);
}

static void serve_poll(fuse_req_t request, struct fuse_file_info *info, struct fuse_pollhandle *handle)
{
	struct opened *file = (void *)(uintptr_t)info->fh;
	bool ready = now_ns() >= file->ready_ns;

	if (handle && ready)
		fuse_pollhandle_destroy(handle);
	else if (handle)
		notify_later(handle, file->ready_ns);
	fuse_reply_poll(request, ready ? POLLIN : 0);
}

static int serve(const char *name, unsigned int major, unsigned int minor)
{
	static const struct cuse_lowlevel_ops calls = {
		.open = serve_open,
		.release = serve_release,
		.read = serve_read,
		.write = serve_write,
		.ioctl = serve_ioctl,
		.poll = serve_poll,
	};
	char device[NAME_MAX_BYTES + 16];
	const char *texts[] = { device };
	struct cuse_info info = { .dev_major = major, .dev_minor = minor, .dev_info_argc = 1, .dev_info_argv = texts };
	char *arguments[] = { "gpudevice", "-f", NULL };

	snprintf(device, sizeof(device), "DEVNAME=%.*s", NAME_MAX_BYTES, name);
	return cuse_lowlevel_main(2, arguments, &info, &calls, NULL);
}

static int wait_in_poll(int fd)
{
	/* other descriptors come before the device's, as in programs of GPU libraries */
	struct pollfd polled[] = { { -1, POLLIN, 0 }, { STDERR_FILENO, 0, 0 }, { fd, POLLIN, 0 } };

	return poll(polled, 3, -1) == 1 ? 0 : -1;
}

static int wait_in_select(int fd)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, &set, NULL, NULL, NULL) == 1 ? 0 : -1;
}

static int wait_by(const char *call, int fd, long ms)
{
	char text[16];

	if (strcmp(call, "ioctl") == 0)
		return ioctl(fd, WAIT_IOCTL, ms);
	snprintf(text, sizeof(text), "%ld", ms);
	if (write(fd, text, strlen(text)) < 0)
		return -1;
	if (strcmp(call, "read") == 0)
		return read(fd, text, 1) == 1 ? 0 : -1;
	return strcmp(call, "poll") == 0 ? wait_in_poll(fd) : wait_in_select(fd);
}

static int wait_for_device(const char *call, const char *device, long ms)
{
	int fd = open(device, O_RDWR | O_CLOEXEC);
	int64_t start = now_ns();

	if (fd < 0 || wait_by(call, fd, ms) < 0) {
		perror(device);
		return 1;
	}
	printf("%lld\n", (long long)(now_ns() - start));
	return 0;
}

static int open_often(const char *device, long count)
{
	for (long i = 0; i < count; i++) {
		int fd = open(device, O_RDWR | O_CLOEXEC);

		if (fd < 0) {
			perror(device);
			return 1;
		}
		close(fd);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 3 && strcmp(argv[1], "serve") == 0)
		return serve(argv[2], argc == 5 ? atoi(argv[3]) : 0, argc == 5 ? atoi(argv[4]) : 0);
	if (argc != 4) {
		fputs("gpudevice: see the comment of its source\n", stderr);
		return 2;
	}
	if (strcmp(argv[1], "open") == 0)
		return open_often(argv[2], atol(argv[3]));
	return wait_for_device(argv[1], argv[2], atol(argv[3]));
}
