/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/casts.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/abi.h"
#include "common/cleanup.h"

static bool is_cast(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == 0 && insn->imm == ABI_CALL_bpf_rdonly_cast;
}

static int set_in(struct bpf_program *program, unsigned int function)
{
	size_t length = bpf_program__insn_cnt(program);
	cleanup_free struct bpf_insn *code = calloc(length, sizeof(*code));
	int calls = 0, status;

	if (!code)
		return -ENOMEM;
	memcpy(code, bpf_program__insns(program), length * sizeof(*code));
	for (size_t i = 0; i < length; i++) {
		if (!is_cast(&code[i]))
			continue;
		code[i].src_reg = BPF_PSEUDO_KFUNC_CALL;
		code[i].imm = function;
		calls++;
	}
	status = calls ? bpf_program__set_insns(program, code, length) : 0;
	return status < 0 ? status : calls;
}

int casts_set(struct bpf_object *object, unsigned int function)
{
	struct bpf_program *program;
	int calls = 0, added;

	bpf_object__for_each_program(program, object) {
		added = set_in(program, function);
		if (added < 0)
			return added;
		calls += added;
	}
	return calls;
}
