/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When stintd's work of a second rests no more: somebody waits, or the ring of events fills. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/eventfd.h>
#include <unistd.h>

#include "collector/host/stretch.h"
#include "tests/unit/set_clock.h"

#define HELD_NS 100000 /* longer than stintd holds a processor without a rest */

static int asked; /* how often it was asked whether something fills: once after each rest */
static bool full;

static bool fills(const void *data)
{
	assert_ptr_equal(data, &full);
	asked++;
	return full;
}

/* Holds the processor for a while, and rests then, if that is allowed. Returns whether it rested. */
static bool work(void)
{
	int before = asked;

	set_clock_add(HELD_NS);
	stretch_rest();
	return asked > before;
}

static void rests_end_once_the_ring_fills(void **state)
{
	int nobody = eventfd(0, EFD_CLOEXEC);

	(void)state;
	stretch_watch(nobody, fills, &full);
	assert_false(work()); /* none was allowed */
	stretch_allow();
	assert_true(work());
	full = true;
	assert_true(work()); /* the last one */
	assert_false(work());
	full = false; /* in the next second */
	assert_false(work());
	stretch_allow();
	assert_true(work());
	stretch_end();
	assert_false(work());
	close(nobody);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rests_end_once_the_ring_fills),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
