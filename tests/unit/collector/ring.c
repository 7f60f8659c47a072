/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that stintd no longer sleeps when the ring of events fills, before the kernel must drop events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <bpf/bpf.h>
#include <unistd.h>

#include "collector/kernel/programs_internal.h"

#define RING_BYTES 65536 /* a quarter is 16,384 bytes */
#define EVENT_BYTES ((sizeof(struct event) + 7) / 8 * 8)
#define RECORD_BYTES (EVENT_BYTES + 8) /* the kernel's BPF_RINGBUF_HDR_SZ */
#define CALL_RINGBUF_OUTPUT 130 /* enum bpf_func_id */

static struct programs p;
static int program_fd, taken;

/* Loads a program that puts an event into the ring @map_fd. Returns -1 if that is not allowed. */
static int load_program(int map_fd)
{
	struct bpf_insn insns[EVENT_BYTES / 8 + 9] = {};
	int n = 0;

	for (size_t at = 8; at <= EVENT_BYTES; at += 8)
		insns[n++] = (struct bpf_insn){ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -(int)at };
	insns[n++] = (struct bpf_insn){ BPF_LD | BPF_IMM | BPF_DW, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map_fd };
	n++; /* the second half of a 64-bit load */
	insns[n++] = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0 };
	insns[n++] = (struct bpf_insn){ BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -(int)EVENT_BYTES };
	insns[n++] = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, EVENT_BYTES };
	insns[n++] = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_4, 0, 0, BPF_RB_NO_WAKEUP };
	insns[n++] = (struct bpf_insn){ BPF_JMP | BPF_CALL, 0, 0, 0, CALL_RINGBUF_OUTPUT };
	insns[n++] = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0 };
	insns[n++] = (struct bpf_insn){ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 };
	return bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "ring", "GPL", insns, n, NULL);
}

static void send_events(int count)
{
	char packet[64] = { 0 };
	LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = packet, .data_size_in = sizeof(packet));

	for (int i = 0; i < count; i++)
		assert_int_equal(bpf_prog_test_run_opts(program_fd, &run), 0);
}

static void take(const struct event *event, void *data)
{
	(void)event;
	(void)data;
	taken++;
}

static void it_fills_above_a_quarter_and_is_empty_once_it_was_drained(void **state)
{
	const int below = RING_BYTES / 4 / RECORD_BYTES;
	struct error err;

	(void)state;
	p.maps[EVENTS] = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, RING_BYTES, NULL);
	program_fd = p.maps[EVENTS] < 0 ? -1 : load_program(p.maps[EVENTS]);
	if (program_fd < 0)
		skip();
	assert_false(programs__events_fill(&p)); /* the ring is not there yet */
	assert_int_equal(programs__on_event(&p, take, NULL, &err), 0);
	for (int round = 1; round < 20; round++) {
		send_events(below);
		assert_false(programs__events_fill(&p));
		send_events(1);
		assert_true(programs__events_fill(&p));
		programs__drain(&p);
		assert_false(programs__events_fill(&p));
		assert_int_equal(taken, round * (below + 1));
	}
	close(program_fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_fills_above_a_quarter_and_is_empty_once_it_was_drained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
