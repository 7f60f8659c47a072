/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/map_shares.h"

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t shares_of(size_t entries, size_t used, size_t jobs, size_t most)
{
	size_t left = entries - smaller(used, entries), share = 3 * left / (4 * (jobs ? jobs : 1));

	return smaller(most, share > SHARE_FEW ? share : SHARE_FEW);
}
