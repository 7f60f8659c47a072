/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/interpreters.h"

#include <bpf/bpf.h>
#include <linux/types.h>
#include <string.h>

#include "bpf/abi.h"

/* Names without a version ("python", not "python3.11"). */
static const struct {
	const char *name;
	struct interpreter rules;
} table[] = {
	{ "env", { .style = INTERPRETER_ENV } },
	{ "sh", { .style = INTERPRETER_SHORT, .code = "cs", .value = "oO", .plus = 1 } },
	{ "bash", { .style = INTERPRETER_SHORT, .code = "cs", .value = "oO", .plus = 1 } },
	{ "dash", { .style = INTERPRETER_SHORT, .code = "cs", .value = "o", .plus = 1 } },
	{ "ksh", { .style = INTERPRETER_SHORT, .code = "cs", .value = "o", .plus = 1 } },
	{ "zsh", { .style = INTERPRETER_SHORT, .code = "cs", .value = "o", .plus = 1 } },
	{ "csh", { .style = INTERPRETER_SHORT, .code = "cs" } },
	{ "tcsh", { .style = INTERPRETER_SHORT, .code = "cs" } },
	{ "fish", { .style = INTERPRETER_SHORT, .code = "c", .value = "Cdf" } },
	{ "python", { .style = INTERPRETER_SHORT, .code = "c", .value = "WX", .script = "m" } },
	{ "pypy", { .style = INTERPRETER_SHORT, .code = "c", .value = "WX", .script = "m" } },
	{ "perl", { .style = INTERPRETER_SHORT, .code = "eE", .value = "I" } },
	{ "ruby", { .style = INTERPRETER_SHORT, .code = "e", .value = "ICr" } },
	{ "lua", { .style = INTERPRETER_SHORT, .code = "e", .value = "l" } },
	{ "php", { .style = INTERPRETER_SHORT, .code = { 'r', 'B', 'R', 'E' }, .value = { 'c', 'd', 'z', 'S' } } },
	{ "node", { .style = INTERPRETER_SHORT, .code = "ep", .value = "rC" } },
	{ "nodejs", { .style = INTERPRETER_SHORT, .code = "ep", .value = "rC" } },
	{ "julia", { .style = INTERPRETER_SHORT, .code = "eE", .value = { 'J', 'p', 't', 'L' } } },
	{ "Rscript", { .style = INTERPRETER_SHORT, .code = "e" } },
	{ "R", { .style = INTERPRETER_SHORT, .code = "e", .value = "gd" } },
	{ "tclsh", { .style = INTERPRETER_SHORT } },
	{ "wish", { .style = INTERPRETER_SHORT } },
	{ "octave", { .style = INTERPRETER_SHORT, .value = "p" } },
	{ "octave-cli", { .style = INTERPRETER_SHORT, .value = "p" } },
	{ "guile", { .style = INTERPRETER_SHORT, .code = "c", .value = "Lle" } },
	{ "java", { .style = INTERPRETER_JAVA } },
};

int interpreters_fill(int map_fd, struct error *err)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct interpreter_key key = { "" };

		strncpy(key.name, table[i].name, sizeof(key.name) - 1);
		if (bpf_map_update_elem(map_fd, &key, &table[i].rules, BPF_ANY) < 0)
			return error_errno(err, "cannot update stint's BPF map of interpreters");
	}
	return 0;
}
