/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into stintd: a kernel that refuses, or does not know, what these variables name.
 * Their words have spaces between.
 *
 * STINT_TEST_REFUSE           programs by name, cut to 15 characters as in the kernel; the verifier refuses
 * STINT_TEST_REFUSE_HELPERS   helpers by number: the verifier finds an unknown call
 * STINT_TEST_REFUSE_MAPS      map types by number
 * STINT_TEST_REFUSE_ATTACH    tracing programs, by the number of their expected_attach_type
 * STINT_TEST_REFUSE_COMMANDS  commands of bpf(), by number
 * STINT_TEST_REFUSE_FETCH     any word: atomic operations that return the value before
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARGUMENTS 6
#define UNKNOWN_HELPER 0x7fff0000

static bool is_in(const char *variable, const char *wanted, size_t cut)
{
	const char *list = getenv(variable);
	size_t length = strnlen(wanted, cut);

	for (const char *at = list; at && *at; at += strspn(at, " ")) {
		size_t word = strcspn(at, " ");

		if ((word < cut ? word : cut - 1) == length && strncmp(at, wanted, length) == 0)
			return true;
		at += word;
	}
	return false;
}

static bool has_number(const char *variable, uint32_t number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	return is_in(variable, text, sizeof(text));
}

static bool fetches(const struct bpf_insn *code)
{
	return code->code == (BPF_STX | BPF_ATOMIC | BPF_DW) && (code->imm & BPF_FETCH);
}

/*
 * Returns @attr's instructions, with calls of unknown helpers in place of refused ones.
 * The caller must free them. NULL if one of them is refused itself, or if out of memory.
 */
static struct bpf_insn *with_refused(const union bpf_attr *attr)
{
	struct bpf_insn *code = calloc(attr->insn_cnt, sizeof(*code));

	if (!code)
		return NULL;
	memcpy(code, (const void *)(uintptr_t)attr->insns, attr->insn_cnt * sizeof(*code));
	for (uint32_t i = 0; i < attr->insn_cnt; i++) {
		if (fetches(&code[i]) && getenv("STINT_TEST_REFUSE_FETCH")) {
			free(code);
			return NULL;
		}
		if (code[i].code == (BPF_JMP | BPF_CALL) && code[i].src_reg == 0 &&
		    has_number("STINT_TEST_REFUSE_HELPERS", code[i].imm))
			code[i].imm = UNKNOWN_HELPER;
	}
	return code;
}

static long (*next)(long number, ...);

static long refuse(void)
{
	errno = EINVAL;
	return -1;
}

static long load(union bpf_attr attr, size_t size)
{
	struct bpf_insn *code;
	long result;
	int saved;

	if (is_in("STINT_TEST_REFUSE", attr.prog_name, BPF_OBJ_NAME_LEN))
		return refuse();
	if (attr.prog_type == BPF_PROG_TYPE_TRACING && has_number("STINT_TEST_REFUSE_ATTACH", attr.expected_attach_type))
		return refuse();
	code = with_refused(&attr);
	if (!code) {
		if (attr.log_buf && attr.log_size)
			snprintf((char *)(uintptr_t)attr.log_buf, attr.log_size, "BPF_ATOMIC uses reserved fields");
		return refuse();
	}
	attr.insns = (uintptr_t)code;
	result = next(SYS_bpf, BPF_PROG_LOAD, &attr, size);
	saved = errno;
	free(code);
	errno = saved;
	return result;
}

static long load_of(const union bpf_attr *given, size_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	if (size > sizeof(attr))
		return refuse();
	memcpy(&attr, given, size);
	return load(attr, size);
}

long syscall(long number, ...)
{
	const union bpf_attr *attr;
	long argument[ARGUMENTS];
	va_list list;

	if (!next)
		next = (long (*)(long number, ...))dlsym(RTLD_NEXT, "syscall");
	va_start(list, number);
	for (int i = 0; i < ARGUMENTS; i++)
		argument[i] = va_arg(list, long);
	va_end(list);
	attr = (const union bpf_attr *)argument[1];
	if (number == SYS_bpf && has_number("STINT_TEST_REFUSE_COMMANDS", argument[0]))
		return refuse();
	if (number == SYS_bpf && argument[0] == BPF_MAP_CREATE && has_number("STINT_TEST_REFUSE_MAPS", attr->map_type))
		return refuse();
	if (number == SYS_bpf && argument[0] == BPF_PROG_LOAD)
		return load_of(attr, argument[2]);
	return next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}
