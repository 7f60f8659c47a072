/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each feature of the kernel that the kernel programs use: whether this kernel has it, and what is missing in reports
 * where it has not. docs/kernels.md is this list for people, and tests/tree/kernel_features compares the two.
 */
#ifndef STINT_FEATURES_H
#define STINT_FEATURES_H

#include <stdbool.h>

#include "collector/kernel/kernel_btf.h"
#include "common/error.h"

#define FEATURES_MAX 64

enum feature_weight {
	FEATURE_NEEDED, /* nothing can be counted without it */
	FEATURE_COSTS,  /* reports lack something without it */
	FEATURE_SPARED, /* something else takes its place, and reports lack nothing */
};

struct feature_state {
	const char *kind;  /* "helper", "tracepoint"... */
	const char *name;  /* as the kernel calls it */
	const char *since; /* the version of Linux that brought it; distributions have it in older ones, too */
	const char *without; /* what takes its place, or what reports lack; NULL where it is needed */
	enum feature_weight weight;
	bool present;
};

struct features {
	struct feature_state state[FEATURES_MAX];
	int count;
};

/*
 * Looks for each feature in the kernel's BTF, or tries it; its version counts for nothing. Where a trial fails for
 * another reason than that the feature is not there, the feature is taken to be there: loading the programs will show
 * it.
 *
 * Returns 0; -1 with @err set, which names what is missing, where a needed feature is not there. @features is filled in
 * either case.
 */
int features_probe(struct features *features, struct kernel *kernel, struct error *err);

/* Whether the feature @name is there. */
bool features_have(const struct features *features, const char *name);

#endif
