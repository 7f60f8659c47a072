/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mutex SECONDS: four threads that all want one std::mutex, under which each computes for 1 ms, and then 0.1 ms without. */
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "burn.h"

int main(int argc, char *argv[])
{
	std::vector<std::thread> threads;
	std::mutex mutex;
	int64_t end_ns;

	if (argc != 2)
		return 2;
	end_ns = clock_ns(CLOCK_MONOTONIC) + (int64_t)(std::atof(argv[1]) * 1e9);
	for (int i = 0; i < 4; i++)
		threads.emplace_back([&] {
			while (clock_ns(CLOCK_MONOTONIC) < end_ns) {
				mutex.lock();
				burn_us(1000);
				mutex.unlock();
				burn_us(100);
			}
		});
	for (std::thread &thread : threads)
		thread.join();
	return 0;
}
