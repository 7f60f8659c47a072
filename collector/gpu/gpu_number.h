/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number about a GPU: known, sampled, or absent with a reason.
 *
 * A number that is all zero bytes is absent, so a number that nobody set is never read as 0. Only gpu_number_get()
 * reads the value, and its caller must look at the result.
 */
#ifndef STINT_GPU_NUMBER_H
#define STINT_GPU_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Why a number is absent: name of the enumerator, and the text for people. */
#define GPU_WHYS(WHY) \
	WHY(NOT_READ, "it was not read") \
	WHY(FIRST, "it needs two readings") \
	WHY(NO_LIBRARY, "the vendor's library is not installed") \
	WHY(NO_SYMBOL, "the vendor's library does not have it") \
	WHY(VERSION, "the vendor's library has another version of it") \
	WHY(NOT_SUPPORTED, "the GPU does not have it") \
	WHY(NO_PERMISSION, "the driver does not allow it") \
	WHY(NO_DATA, "the driver has no data") \
	WHY(NO_DRIVER, "the driver is not loaded") \
	WHY(LOST, "the GPU is lost") \
	WHY(JUNK, "the driver's answer cannot be right") \
	WHY(SLICE, "only the whole card has it") \
	WHY(TOO_MANY, "there were too many") \
	WHY(FAILED, "the vendor's library failed") \
	WHY(GAP, "it was not read for some time") \
	WHY(LATE, "it was not read from the job's begin")

enum gpu_why {
#define GPU_WHY(name, text) GPU_WHY_##name,
	GPU_WHYS(GPU_WHY)
#undef GPU_WHY
	GPU_WHY_COUNT
};

enum gpu_state {
	GPU_ABSENT,
	GPU_KNOWN,   /* by a counter, or at this moment */
	GPU_SAMPLED, /* by the driver's samples */
	GPU_STATE_COUNT
};

struct gpu_number {
	uint64_t bits;       /* the value; 0 if absent */
	uint64_t covered_ns; /* of a sampled number: the time that the samples cover */
	uint32_t state;      /* enum gpu_state */
	uint32_t why;        /* enum gpu_why; of an absent number */
};

static inline struct gpu_number gpu_known(uint64_t value)
{
	return (struct gpu_number){ .bits = value, .state = GPU_KNOWN };
}

static inline struct gpu_number gpu_sampled(uint64_t value, uint64_t covered_ns)
{
	return (struct gpu_number){ .bits = value, .covered_ns = covered_ns, .state = GPU_SAMPLED };
}

static inline struct gpu_number gpu_absent(enum gpu_why why)
{
	return (struct gpu_number){ .why = why };
}

/* Sets @value if the number is known or sampled. Returns false if it is absent. */
static inline bool __attribute__((warn_unused_result)) gpu_number_get(const struct gpu_number *number, uint64_t *value)
{
	if (number->state == GPU_ABSENT)
		return false;
	*value = number->bits;
	return true;
}

/* Returns true if @number, which another process wrote, has one of the three forms. */
static inline bool gpu_number_is_valid(const struct gpu_number *number)
{
	if (number->state == GPU_ABSENT)
		return number->bits == 0 && number->covered_ns == 0 && number->why < GPU_WHY_COUNT;
	return number->state < GPU_STATE_COUNT && number->why == 0 && (number->state == GPU_SAMPLED || number->covered_ns == 0);
}

static inline const char *gpu_why_text(uint32_t why)
{
	static const char *const texts[] = {
#define GPU_WHY(name, text) text,
		GPU_WHYS(GPU_WHY)
#undef GPU_WHY
	};

	return texts[why < GPU_WHY_COUNT ? why : GPU_WHY_FAILED];
}

#endif
