/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each feature of the kernel that the kernel programs use: whether this kernel has it, and what reports lack if not.
 * docs/kernels.md is this list for people, and tests/tree/kernel_features compares the two.
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
	const char *name;  /* the kernel's name for it */
	const char *since; /* the version of Linux that brought it; distributions also have it in older ones */
	const char *without; /* what takes its place, or what reports lack; NULL if it is needed */
	enum feature_weight weight;
	bool present;
};

struct features {
	struct feature_state state[FEATURES_MAX];
	int count;
};

/*
 * Looks for each feature in the kernel's BTF, or tries it; the version does not matter. If a trial fails for another
 * reason than a missing feature, the feature is assumed to exist: loading the programs will show it.
 *
 * Returns 0; -1 with @err set, which names what is missing, if a needed feature does not exist. @features is filled in
 * either case.
 */
int features_probe(struct features *features, struct kernel *kernel, struct error *err);

/* Whether the feature @name exists. */
bool features_have(const struct features *features, const char *name);

#endif
