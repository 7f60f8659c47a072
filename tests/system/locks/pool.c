/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libuv's loop and its pool. Each thread of the pool has had its task.
 *
 *   pool idle|beside SECONDS   beside: the loop computes
 */
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include "burn.h"

#define THREADS 4

static void at_once(uv_work_t *request)
{
	(void)request;
	burn_us(2000);
}

static void done(uv_work_t *request, int status)
{
	(void)request;
	(void)status;
}

static void at_end(uv_timer_t *timer)
{
	uv_close((uv_handle_t *)timer, NULL);
}

static void at_start(uv_timer_t *timer)
{
	wait_or_burn(true, *(int64_t *)timer->data);
	uv_close((uv_handle_t *)timer, NULL);
}

int main(int argc, char *argv[])
{
	uv_loop_t *loop = uv_default_loop();
	uv_work_t requests[THREADS];
	uv_timer_t timer;
	int64_t end_ns;

	if (argc != 3)
		return 2;
	end_ns = clock_ns(CLOCK_MONOTONIC) + (int64_t)(atof(argv[2]) * 1e9);
	for (int i = 0; i < THREADS; i++)
		uv_queue_work(loop, &requests[i], at_once, done);
	uv_timer_init(loop, &timer);
	timer.data = &end_ns;
	if (strcmp(argv[1], "beside") == 0)
		uv_timer_start(&timer, at_start, 50, 0);
	else
		uv_timer_start(&timer, at_end, (uint64_t)(atof(argv[2]) * 1e3), 0);
	return uv_run(loop, UV_RUN_DEFAULT);
}
