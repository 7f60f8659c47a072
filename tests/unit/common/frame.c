/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a frame is read whole or refused, for each flipped bit and each length at which it is torn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/frame.h"

static const char text[] = "{\"stint_record\":1}";

static const char *open_frame(const char *data, size_t size, size_t *length, struct error *err)
{
	errno = 0;
	return frame_content(data, size, FRAME_RECORD, "file", length, err);
}

static void what_was_framed_is_given_back(void **state)
{
	size_t size, length = 0;
	char *frame = frame_make(FRAME_RECORD, text, sizeof(text), &size);
	const char *content;
	struct error err;

	(void)state;
	assert_int_equal(size, sizeof(struct frame_header) + sizeof(text));
	assert_true(frame_begins(frame, size));
	content = open_frame(frame, size, &length, &err);
	assert_non_null(content);
	assert_int_equal(length, sizeof(text));
	assert_memory_equal(content, text, sizeof(text));
	free(frame);
}

static void nothing_is_a_content_too(void **state)
{
	size_t size, length = 1;
	char *frame = frame_make(FRAME_RECORD, "", 0, &size);
	struct error err;

	(void)state;
	assert_non_null(open_frame(frame, size, &length, &err));
	assert_int_equal(length, 0);
	free(frame);
}

static void a_turned_bit_is_damage_wherever_it_is(void **state)
{
	size_t size, length;
	char *frame = frame_make(FRAME_RECORD, text, sizeof(text), &size);
	struct error err;

	(void)state;
	for (size_t bit = 0; bit < size * 8; bit++) {
		frame[bit / 8] ^= 1 << bit % 8;
		assert_null(open_frame(frame, size, &length, &err));
		assert_int_equal(errno, EBADMSG);
		frame[bit / 8] ^= 1 << bit % 8;
	}
	assert_non_null(open_frame(frame, size, &length, &err));
	free(frame);
}

static void one_torn_at_any_place_is_damaged(void **state)
{
	size_t size, length;
	char *frame = frame_make(FRAME_RECORD, text, sizeof(text), &size);
	struct error err;

	(void)state;
	for (size_t torn = 0; torn < size; torn++) {
		/* allocated separately, so that a read beyond its end is seen */
		char *part = malloc(torn ? torn : 1);

		memcpy(part, frame, torn);
		assert_null(open_frame(part, torn, &length, &err));
		assert_int_equal(errno, EBADMSG);
		free(part);
	}
	free(frame);
}

static void one_with_something_behind_it_is_damaged(void **state)
{
	size_t size, length;
	char *frame = frame_make(FRAME_RECORD, text, sizeof(text), &size);
	struct error err;

	(void)state;
	frame = realloc(frame, size + 1);
	frame[size] = '\0';
	assert_null(open_frame(frame, size + 1, &length, &err));
	assert_int_equal(errno, EBADMSG);
	free(frame);
}

static void sign(char *frame)
{
	struct frame_header header;

	memcpy(&header, frame, sizeof(header));
	header.header_crc = crc32_z(0, (const void *)&header, offsetof(struct frame_header, header_crc));
	memcpy(frame, &header, sizeof(header));
}

static void another_version_or_kind_is_no_damage(void **state)
{
	size_t size, length;
	char *frame = frame_make(FRAME_RECORD, text, sizeof(text), &size);
	struct frame_header *header = (struct frame_header *)frame;
	struct error err;

	(void)state;
	assert_null(frame_content(frame, size, FRAME_CLOSED, "file", &length, &err));
	assert_int_equal(errno, EPROTONOSUPPORT);
	header->version = FRAME_VERSION + 1;
	sign(frame);
	assert_null(open_frame(frame, size, &length, &err));
	assert_int_equal(errno, EPROTONOSUPPORT);
	assert_string_equal(err.text, "file: another version of stint wrote it");
	free(frame);
}

static void a_length_beyond_all_bounds_is_torn(void **state)
{
	size_t size, length;
	char *frame = frame_make(FRAME_RECORD, text, sizeof(text), &size);
	struct frame_header *header = (struct frame_header *)frame;
	struct error err;

	(void)state;
	header->length = UINT64_MAX;
	sign(frame);
	assert_null(open_frame(frame, size, &length, &err));
	assert_string_equal(err.text, "file: torn: its length is not the length that was written");
	free(frame);
}

static void text_is_no_frame(void **state)
{
	size_t length;
	struct error err;

	(void)state;
	assert_false(frame_begins(text, sizeof(text)));
	assert_false(frame_begins("STINT", 5));
	assert_null(open_frame(text, sizeof(text), &length, &err));
	assert_int_equal(errno, EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_framed_is_given_back),
		cmocka_unit_test(nothing_is_a_content_too),
		cmocka_unit_test(a_turned_bit_is_damage_wherever_it_is),
		cmocka_unit_test(one_torn_at_any_place_is_damaged),
		cmocka_unit_test(one_with_something_behind_it_is_damaged),
		cmocka_unit_test(another_version_or_kind_is_no_damage),
		cmocka_unit_test(a_length_beyond_all_bounds_is_torn),
		cmocka_unit_test(text_is_no_frame),
	};

	return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}
