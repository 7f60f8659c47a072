/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads which GPUs Slurm allocated, from its texts about generic resources. */
#ifndef STINT_GPUS_H
#define STINT_GPUS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#define GPUS_INDEXES_MAX 256 /* of one kind and type on a node */
#define GPUS_TYPE_MAX 64
#define GPUS_KINDS_MAX 64 /* kinds and types in one text */

enum gpus_kind {
	GPUS_WHOLE, /* gpu: whole GPUs, or MIG slices */
	GPUS_SHARD,
	GPUS_MPS,
};

/* GPUs of one kind and type. */
struct gpus {
	enum gpus_kind kind;
	char type[GPUS_TYPE_MAX]; /* in gres.conf; empty: not known */
	uint32_t count; /* of GPUs or of shares */
	uint32_t index_count; /* 0: the indexes are not known */
	uint32_t indexes[GPUS_INDEXES_MAX]; /* in the order of gres.conf, from 0 */
	/* Of each of these GPUs: how many shares, of how many. 0 for whole GPUs, or if not known. */
	uint32_t shares[GPUS_INDEXES_MAX];
	uint32_t shares_of[GPUS_INDEXES_MAX];
};

/*
 * Reads the GPUs in @text: a node's gres_detail_str ("gpu:a100:2(IDX:0-1)"), or a job's gres_total ("gpu:a100:2").
 * Skips other resources. See _foreach_job_build_details() in Slurm's gres_stepmgr.c (gres_ctld.c before 23.11).
 *
 * A text that Slurm cut, or whose indexes contradict the count, gives no indexes.
 *
 * @take: called for each kind and type; the argument is valid during the call
 *
 * Returns 0; -1 if @text has another form. @take is not called then.
 */
int gpus_of_gres(const char *text, void (*take)(const struct gpus *gpus, void *data), void *data);

/* Works like gpus_of_gres(), for TRES: "cpu=4,gres/gpu=2,gres/gpu:a100=2". Gives each GPU once. */
int gpus_of_tres(const char *text, void (*take)(const struct gpus *gpus, void *data), void *data);

/* Returns the name of @kind in Slurm: "gpu", "shard" or "mps". */
const char *gpus_kind_name(enum gpus_kind kind);

/* Appends an object for @gpus to the array @list. @node: may be NULL */
void gpus_put(struct json_object *list, const char *node, const struct gpus *gpus);

#endif
