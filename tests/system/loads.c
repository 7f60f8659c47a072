/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads each kernel program of an object by itself, and attaches none.
 * The object is made of stint's sources, perhaps by another compiler (compilers.bats).
 *
 *   loads OBJECT FORMER
 *
 * Prints a line for each program:
 *   NAME loaded TAG
 *   NAME no hook       this kernel has nothing to attach the program to
 *   NAME not allowed   this kernel lets nobody attach to functions
 *   NAME REFUSED       the end of the kernel's message follows
 *
 * Exits with 1 if a program was refused.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/abi.h"
#include "bpf/former.skel.h"
#include "bpf/stint.skel.h"
#include "collector/kernel/casts.h"
#include "collector/kernel/kernel_btf.h"
#include "common/cleanup.h"
#include "common/file.h"

#define OBJECT_MAX (16u << 20)
#define LOG_TOLD 1500 /* of the end of the messages of libbpf and the kernel */

static char said[LOG_TOLD + 1];

static void append(const char *text)
{
	size_t length = strlen(text), used = strlen(said), dropped;

	if (length > LOG_TOLD) {
		text += length - LOG_TOLD;
		length = LOG_TOLD;
	}
	dropped = used + length > LOG_TOLD ? used + length - LOG_TOLD : 0;
	memmove(said, said + dropped, used - dropped);
	memcpy(said + used - dropped, text, length + 1);
}

static int keep(enum libbpf_print_level level, const char *format, va_list args)
{
	char *text;

	if (level > LIBBPF_WARN || vasprintf(&text, format, args) < 0)
		return 0;
	append(text);
	free(text);
	return 0;
}

#define STATISTICS_AND_ERRORS 4 /* BPF_LOG_STATS: without each instruction, which can be hundreds of megabytes */

struct object {
	const char *path;
	char *data;
	size_t size;
	bool former;
};

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "loads: %s: %s\n", what, why);
	exit(2);
}

/* Opens stint's skeleton around the object's own bytes. */
static struct bpf_object *open_object(const struct object *object, struct stint_bpf *skeleton,
				      struct former_bpf *former)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .kernel_log_level = STATISTICS_AND_ERRORS);
	struct bpf_object_skeleton *s;

	if ((object->former ? former_bpf__create_skeleton(former) : stint_bpf__create_skeleton(skeleton)) != 0)
		fail(object->path, "no memory");
	s = object->former ? former->skeleton : skeleton->skeleton;
	s->data = object->data;
	s->data_sz = object->size;
	if (bpf_object__open_skeleton(s, &options) != 0)
		fail(object->path, strerror(errno));
	return *s->obj;
}

#define TAG_TEXT (2 * BPF_TAG_SIZE + 1)

/* Writes the tag of @program's instructions, as bpftool shows it. */
static const char *tag_of(const struct bpf_program *program, char tag[TAG_TEXT])
{
	struct bpf_prog_info info = { 0 };
	__u32 size = sizeof(info);

	bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size);
	for (int i = 0; i < BPF_TAG_SIZE; i++)
		sprintf(tag + 2 * i, "%02x", info.tag[i]);
	return tag;
}

static unsigned int function_to_cast; /* bpf_rdonly_cast() in the kernel's BTF; 0: there is none */

static void find_function_to_cast(void)
{
	struct kernel kernel;
	struct error err;

	if (kernel_open(&kernel, &err) < 0)
		fail("the kernel", err.text);
	function_to_cast = kernel_function_id(&kernel, "bpf_rdonly_cast");
	kernel_close(&kernel);
}

static void use_newest(struct stint_bpf *skeleton, struct bpf_object *object, bool newest)
{
	skeleton->rodata->registers = newest;
	skeleton->rodata->casts = newest && function_to_cast;
	if (skeleton->rodata->casts && casts_set(object, function_to_cast) <= 0)
		fail("bpf_rdonly_cast", "no program calls it");
}

/*
 * Loads only the program @name, with the features of newer kernels (bpf/has.h) or without.
 * Returns whether it was refused.
 */
static bool load_one(const struct object *object, const char *name, bool newest)
{
	struct stint_bpf skeleton = { 0 };
	struct former_bpf former = { 0 };
	struct bpf_object *o = open_object(object, &skeleton, &former);
	struct bpf_program *program;
	char tag[TAG_TEXT];
	int status;

	bpf_object__for_each_program(program, o)
		bpf_program__set_autoload(program, strcmp(bpf_program__name(program), name) == 0);
	if (!object->former)
		use_newest(&skeleton, o, newest);
	said[0] = '\0';
	status = bpf_object__load(o);
	if (status == -ESRCH)
		printf("%s no hook\n", name);
	else if (status == 0)
		printf("%s loaded %s\n", name, tag_of(bpf_object__find_program_by_name(o, name), tag));
	else if (status == -EPERM) /* the verifier refuses with EACCES, EINVAL and E2BIG */
		printf("%s not allowed\n", name);
	else
		printf("%s REFUSED %s\n%s\n", name, strerror(-status), said);
	bpf_object__destroy_skeleton(object->former ? former.skeleton : skeleton.skeleton);
	return status != 0 && status != -ESRCH && status != -EPERM;
}

static int load_all(const struct object *object, bool newest)
{
	struct stint_bpf skeleton = { 0 };
	struct former_bpf former = { 0 };
	struct bpf_object *o = open_object(object, &skeleton, &former);
	struct bpf_program *program;
	int refused = 0;

	bpf_object__for_each_program(program, o)
		refused += load_one(object, bpf_program__name(program), newest);
	bpf_object__destroy_skeleton(object->former ? former.skeleton : skeleton.skeleton);
	return refused;
}

int main(int argc, char *argv[])
{
	int refused = 0;

	if (argc != 3)
		fail("usage", "loads OBJECT FORMER");
	libbpf_set_print(keep);
	find_function_to_cast();
	for (int i = 0; i < 2; i++) {
		struct object object = { .path = argv[1 + i], .former = i == 1 };
		struct error err;

		object.data = file_read(AT_FDCWD, object.path, OBJECT_MAX, &object.size, &err);
		if (!object.data)
			fail(object.path, err.text);
		refused += load_all(&object, true);
		if (!object.former)
			refused += load_all(&object, false);
		free(object.data);
	}
	return refused ? EXIT_FAILURE : EXIT_SUCCESS;
}
