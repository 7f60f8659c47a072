/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the kernel features that the kernel programs use, and what reports lack without them.
 *
 * tests/tree/kernel_features compares this list with docs/kernels.md.
 */
#ifndef STINT_FEATURES_H
#define STINT_FEATURES_H

#include <stdbool.h>

#include "collector/kernel/kernel_btf.h"
#include "common/error.h"

#define FEATURES_MAX 64

enum feature_weight {
	FEATURE_NEEDED, /* without it, nothing can be counted */
	FEATURE_COSTS,  /* without it, reports lack something */
	FEATURE_SPARED, /* reports lack nothing */
};

struct feature_state {
	const char *kind;
	const char *name;
	const char *since; /* distributions may have it in older versions */
	const char *without; /* what reports lack; NULL if the feature is needed */
	enum feature_weight weight;
	bool present;
};

struct features {
	struct feature_state state[FEATURES_MAX];
	int count;
};

/*
 * Looks for each feature in the kernel's BTF, or tries to use it. Ignores the kernel's version.
 *
 * Fills @features. Returns 0; -1 with @err set, which names all missing features that are needed.
 */
int features_probe(struct features *features, struct kernel *kernel, struct error *err);

bool features_have(const struct features *features, const char *name);

#endif
