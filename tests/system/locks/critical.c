/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Four OpenMP threads share a critical section. Each computes 1 ms in it, and 0.1 ms outside.
 *
 *   critical SECONDS
 */
#include <stdlib.h>

#include "burn.h"

int main(int argc, char *argv[])
{
	int64_t end_ns;

	if (argc != 2)
		return 2;
	end_ns = clock_ns(CLOCK_MONOTONIC) + (int64_t)(atof(argv[1]) * 1e9);
#pragma omp parallel num_threads(4)
	while (clock_ns(CLOCK_MONOTONIC) < end_ns) {
#pragma omp critical
		burn_us(1000);
		burn_us(100);
	}
	return 0;
}
