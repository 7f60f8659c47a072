/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the kernel features that the kernel programs use. For each feature, tells if this kernel has it, and what
 * reports lack without it. docs/kernels.md is the same list for people. tests/tree/kernel_features compares the two
 * lists.
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
	FEATURE_SPARED, /* without it, stint uses something else, so reports lack nothing */
};

struct feature_state {
	const char *kind;  /* "helper", "tracepoint"... */
	const char *name;  /* the kernel's name for the feature */
	const char *since; /* the version of Linux that introduced the feature; distributions may have it in older versions, too */
	const char *without; /* what stint uses instead, or what reports lack; NULL if the feature is needed */
	enum feature_weight weight;
	bool present;
};

struct features {
	struct feature_state state[FEATURES_MAX];
	int count;
};

/*
 * Looks for each feature in the kernel's BTF, or tries to use it. Ignores the kernel's version. If a trial fails for
 * another reason than a missing feature, assumes that the feature exists. If the feature is missing nevertheless, the
 * programs will fail to load.
 *
 * Returns 0; -1 with @err set if a needed feature is missing. @err then names all missing features that are needed.
 * Fills @features in both cases.
 */
int features_probe(struct features *features, struct kernel *kernel, struct error *err);

/* Returns true if this kernel has the feature @name. */
bool features_have(const struct features *features, const char *name);

#endif
