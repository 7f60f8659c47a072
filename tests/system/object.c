/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into stintd: replaces its kernel programs by those in the file STINT_TEST_OBJECT.
 * Another compiler made the file from the same sources.
 */
#include <bpf/libbpf.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_object(const char *path, void **data, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	*data = MAP_FAILED;
	if (fd >= 0 && fstat(fd, &st) == 0)
		*data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (*data == MAP_FAILED)
		return -1;
	*size = st.st_size;
	return 0;
}

int bpf_object__open_skeleton(struct bpf_object_skeleton *s, const struct bpf_object_open_opts *opts)
{
	int (*next)(struct bpf_object_skeleton *s, const struct bpf_object_open_opts *opts) =
		(int (*)(struct bpf_object_skeleton *, const struct bpf_object_open_opts *))dlsym(RTLD_NEXT, __func__);
	const char *path = getenv("STINT_TEST_OBJECT");
	static size_t size;
	static void *data;

	if (path && strcmp(s->name, "stint_bpf") == 0) {
		if (!data && read_object(path, &data, &size) < 0)
			return -errno;
		s->data = data;
		s->data_sz = size;
	}
	return next(s, opts);
}
