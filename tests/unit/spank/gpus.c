/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that Slurm's texts about GPUs are read strictly: an index is never guessed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spank/slurm_job/gpus.h"

static void print(const struct gpus *gpus, void *data)
{
	char *text = data;
	size_t at = strlen(text);

	at += (size_t)sprintf(text + at, "%s%s %s %u", at ? "; " : "", gpus_kind_name(gpus->kind), gpus->type[0] ? gpus->type : "-",
			      gpus->count);
	for (uint32_t i = 0; i < gpus->index_count; i++) {
		at += (size_t)sprintf(text + at, "%c%u", i ? ',' : ' ', gpus->indexes[i]);
		if (gpus->shares_of[i])
			at += (size_t)sprintf(text + at, "(%u/%u)", gpus->shares[i], gpus->shares_of[i]);
	}
}

static void check(int (*read)(const char *, void (*)(const struct gpus *, void *), void *), const char *text, const char *expected)
{
	char found[8192] = "";

	if (read(text, print, found) < 0) {
		assert_string_equal(found, "");
		strcpy(found, "refused");
	}
	if (strcmp(found, expected) != 0)
		print_error("%s\n", text);
	assert_string_equal(found, expected);
}

static void what_a_node_gives_is_read(void **state)
{
	static const char *const cases[][2] = {
		{ "gpu:2(IDX:0-1)", "gpu - 2 0,1" },
		{ "gpu:a100:2(IDX:0,2)", "gpu a100 2 0,2" },
		{ "gpu:3(IDX:0,2-3)", "gpu - 3 0,2,3" },
		{ "gpu:a100:1(IDX:0),gpu:v100:1(IDX:3)", "gpu a100 1 0; gpu v100 1 3" },
		{ "gpu:a100_1g.5gb:2(IDX:4-5)", "gpu a100_1g.5gb 2 4,5" }, /* MIG */
		{ "gpu:4090:2(IDX:0-1)", "gpu 4090 2 0,1" },
		{ "shard:4(2/8,0/8,2/4)", "shard - 4 0(2/8),2(2/4)" },
		{ "mps:50(50/100,0/100)", "mps - 50 0(50/100)" },
		{ "shard:2(IDX:0)", "shard - 2 0" }, /* Slurm 22.05 */
		{ "gpu:a100:2(IDX:0-1),gpu:v100:0(IDX:)", "gpu a100 2 0,1" }, /* --gpus-per-node=2 */
		{ "gpu(CNT:2)", "gpu - 2" },
		{ "gpu:a100(CNT:2)", "gpu a100 2" },
		{ "craynetwork:1,gpu:1(IDX:7),nic:2(IDX:0,1)", "gpu - 1 7" },
		{ "gpu:tesla:2(S:0-1)", "gpu tesla 2" },
		{ "gpu:a100:0(IDX:N/A)", "" },
		{ "nvme:1(IDX:0)", "" },
		{ "gpus:1(IDX:0)", "" },
		{ "", "" },
		/* of a whole job */
		{ "gpu:a100:2", "gpu a100 2" },
		{ "gpu:2,shard:4", "gpu - 2; shard - 4" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(gpus_of_gres, cases[i][0], cases[i][1]);
	check(gpus_of_gres, NULL, "");
}

static void indexes_that_contradict_the_count_are_not_known(void **state)
{
	static const char *const cases[][2] = {
		{ "gpu:2(IDX:0)", "gpu - 2" },
		{ "gpu:2(IDX:0-2)", "gpu - 2" },
		{ "gpu:2(IDX:1,0)", "gpu - 2" },
		{ "gpu:2(IDX:1,1)", "gpu - 2" },
		{ "gpu:2(IDX:1-0)", "gpu - 2" },
		{ "gpu:2(IDX:0,)", "gpu - 2" },
		{ "gpu:2(IDX:0-)", "gpu - 2" },
		{ "gpu:1(IDX:-1)", "gpu - 1" },
		{ "gpu:1(IDX:x)", "gpu - 1" },
		{ "gpu:1(IDX:4294967295)", "gpu - 1" },
		{ "gpu:1(IDX:0-4294967294)", "gpu - 1" },
		{ "gpu:2(0,1)", "gpu - 2" },
		{ "shard:4(2/8,1/8)", "shard - 4" },
		{ "shard:1(IDX:0-1)", "shard - 1" },
		{ "shard:9(9/8)", "shard - 9" },
		{ "shard:2(2/8,)", "shard - 2" },
		{ "shard:2(2)", "shard - 2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(gpus_of_gres, cases[i][0], cases[i][1]);
}

static void another_form_is_refused(void **state)
{
	static const char *const texts[] = {
		"gpu", "gpu:", "gpu:a100", "gpu:a100:", "gpu::2", "gpu:a:b:2", "gpu:2(", "gpu:2(IDX:0", "gpu:2(IDX:0)x", "gpu:2,", ",gpu:2",
		"gpu(CNT:)", "gpu(CNT:2", "gpu(2)", "gpu:-1", "gpu:4294967295", "gpu:99999999999", "nic:1(IDX:0", "gpu:2(IDX:0-1) ",
		"gpu:0123456789012345678901234567890123456789012345678901234567890123:1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check(gpus_of_gres, texts[i], "refused");
}

static void no_more_is_read_than_there_is_room_for(void **state)
{
	char text[GPUS_KINDS_MAX * 16 + 64] = "";

	(void)state;
	for (int i = 0; i <= GPUS_KINDS_MAX; i++)
		sprintf(text + strlen(text), "%sgpu:t%d:1", i ? "," : "", i);
	check(gpus_of_gres, text, "refused");
	check(gpus_of_gres, "gpu:257(IDX:0-256)", "gpu - 257");
}

static void each_gpu_counts_once_in_tres(void **state)
{
	static const char *const cases[][2] = {
		{ "cpu=4,mem=2G,node=2,billing=4,gres/gpu=2", "gpu - 2" },
		{ "cpu=4,gres/gpu=2,gres/gpu:a100=2", "gpu a100 2" },
		{ "gres/gpu:a100=2,gres/gpu=3,gres/gpu:v100=1", "gpu a100 2; gpu v100 1" },
		{ "gres/gpu=3,gres/gpu:a100=2", "gpu - 1; gpu a100 2" },
		{ "gres/gpu:a100=2", "gpu a100 2" },
		{ "gres/gpu=1,gres/shard=4,gres/mps=50", "gpu - 1; shard - 4; mps - 50" },
		{ "gres/gpumem=80G,gres/gpuutil=1", "" },
		{ "cpu=4", "" },
		{ "gres/gpu=0", "" },
		{ "gres/gpu=", "refused" },
		{ "gres/gpu=x", "refused" },
		{ "gres/gpu=-1", "refused" },
		{ "gres/gpu=2x", "refused" },
		{ "gres/gpu:a100", "refused" },
		{ "gres/gpu=1,", "refused" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(gpus_of_tres, cases[i][0], cases[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_node_gives_is_read),
		cmocka_unit_test(indexes_that_contradict_the_count_are_not_known),
		cmocka_unit_test(another_form_is_refused),
		cmocka_unit_test(no_more_is_read_than_there_is_room_for),
		cmocka_unit_test(each_gpu_counts_once_in_tres),
	};

	return cmocka_run_group_tests_name("spank gpus", tests, NULL, NULL);
}
