/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a whole note of the plugin is processed once, and that a damaged one is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "collector/journal/journal.h"
#include "tests/unit/collector/journal_fixture.h"

static void a_note_is_taken_once_and_half_written_ones_are_left(void **state)
{
	struct control_message message = open_of(1, 5, 0);

	(void)state;
	write_file("notes/1.5.open.99", &message, sizeof(message));
	write_file("notes/.1.6.open.99", &message, 10);
	journal_take_notes(run_fd, take_note, bad, NULL);
	journal_take_notes(run_fd, take_note, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_steps[0], 5);
	assert_int_equal(bad_count, 0);
}

static void a_note_of_another_length_is_damaged(void **state)
{
	struct journal_message kept = { .message = open_of(1, 5, 0) };

	(void)state;
	write_file("notes/1.5.open.99", &kept, sizeof(kept.message) + 1);
	journal_take_notes(run_fd, take_note, bad, NULL);
	assert_int_equal(seen_count, 0);
	assert_int_equal(bad_count, 1);
}

/* The plugin's note ends with the last byte that is not zero, and a checksum. */
static void a_note_without_its_zeros_is_whole(void **state)
{
	struct control_message message = open_of(1, 5, 0);
	char note[sizeof(message) + sizeof(uint32_t)];
	size_t length = offsetof(struct control_message, node) + 2;
	uint32_t checksum = control_note_checksum(&message, length);

	(void)state;
	memcpy(note, &message, length);
	memcpy(note + length, &checksum, sizeof(checksum));
	write_file("notes/1.5.open.99", note, length + sizeof(checksum));
	journal_take_notes(run_fd, take_note, bad, NULL);
	assert_int_equal(seen_count, 1);
	assert_int_equal(seen_steps[0], 5);
	for (size_t cut = 0; cut < length + sizeof(checksum); cut++) {
		write_file("notes/1.5.open.99", note, cut);
		journal_take_notes(run_fd, take_note, bad, NULL);
	}
	assert_int_equal(seen_count, 1);
	assert_int_equal(bad_count, length + sizeof(checksum));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_note_is_taken_once_and_half_written_ones_are_left),
		TEST(a_note_of_another_length_is_damaged),
		TEST(a_note_without_its_zeros_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
