/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stint-gpu writes: messages in the byte order of this machine.
 *
 * stint-gpu reads all GPUs once a second for as long as its standard input is open, and writes to its standard output:
 *
 *   GPU_HELLO   first, one: what each vendor's library says
 *   GPU_DEVICE  next, one for each GPU and each slice of a GPU (MIG)
 *   GPU_SAMPLE  each second, one for each of them
 *   GPU_ROUND   each second, after the samples
 *
 * The reader must not trust the content: gpu_message_is_valid(). A change of the layout, or of a meaning, raises
 * GPU_PROTOCOL.
 */
#ifndef STINT_GPU_PROTOCOL_H
#define STINT_GPU_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/gpu/gpu_number.h"

#define GPU_PROTOCOL 1
#define GPU_MAX 128 /* GPUs and slices; a card has at most 7 slices */
#define GPU_PROCESSES_MAX 128 /* in a sample */
#define GPU_XIDS_MAX 16 /* different errors in a sample */
#define GPU_SHARE_ALL 1000000 /* shares are in millionths */
#define GPU_NONE UINT32_MAX

enum gpu_kind { GPU_HELLO = 1, GPU_DEVICE, GPU_SAMPLE, GPU_ROUND };
enum gpu_vendor { GPU_NVIDIA, GPU_AMD, GPU_VENDORS };

enum gpu_value {
	GPU_BUSY,         /* share of the time in which something ran on the GPU */
	GPU_SM,           /* share of its processors that were busy */
	GPU_TENSOR,       /* share of the time in which its tensor units worked */
	GPU_BANDWIDTH,    /* share of its memory bandwidth */
	GPU_MEMORY_USED,  /* bytes at this moment */
	GPU_MEMORY_TOTAL, /* bytes */
	GPU_ENERGY,       /* mJ since the driver was loaded */
	GPU_THROTTLE,     /* GPU_THROTTLE_HEAT, GPU_THROTTLE_POWER, at this moment */
	GPU_XIDS,         /* errors since the last sample */
	GPU_PROCESSES,    /* processes at this moment; sampled: others may be on the GPU, which only draw */
	GPU_VALUES
};

#define GPU_THROTTLE_HEAT 1  /* temperature, or a fault of the hardware */
#define GPU_THROTTLE_POWER 2 /* the limit of power */

struct gpu_header {
	uint16_t protocol;
	uint16_t kind;
	uint32_t size; /* of the whole message, in bytes */
};

struct gpu_library {
	uint32_t loaded;  /* 1: yes */
	uint32_t why;     /* enum gpu_why; if not loaded */
	char version[80]; /* of the driver or library; may be empty */
};

struct gpu_hello {
	struct gpu_header header;
	struct gpu_library libraries[GPU_VENDORS];
};

struct gpu_device {
	struct gpu_header header;
	uint32_t gpu;    /* its number in these messages, from 0; means nothing elsewhere */
	uint32_t card;   /* number of the card that it is a slice of; GPU_NONE: it is a whole card */
	uint32_t vendor; /* enum gpu_vendor */
	uint32_t index;  /* of the vendor's library; not the minor number */
	char uuid[96];   /* may be empty, as the next ones: not known */
	char pci[32];    /* 00000000:3b:00.0 */
	char model[96];
	struct gpu_number minor; /* of /dev/nvidiaN, or of /dev/dri/renderDN */
	struct gpu_number gpu_instance, compute_instance; /* of a slice */
};

struct gpu_process {
	uint32_t pid; /* in the host's namespace */
	uint32_t zero;
	struct gpu_number memory; /* bytes */
};

struct gpu_xid {
	uint32_t xid;
	uint32_t count;
};

struct gpu_sample {
	struct gpu_header header;
	uint32_t gpu;
	uint32_t junk; /* entries that could not be right, and were dropped */
	uint64_t from_ns, to_ns; /* CLOCK_BOOTTIME; the time for which the shares stand */
	struct gpu_number values[GPU_VALUES];
	struct gpu_xid xids[GPU_XIDS_MAX]; /* count 0: none */
	uint32_t processes; /* that follow */
	uint32_t processes_lost; /* more than GPU_PROCESSES_MAX */
	struct gpu_process process[];
};

struct gpu_round {
	struct gpu_header header;
	uint64_t at_ns; /* CLOCK_BOOTTIME */
};

#define GPU_SAMPLE_MAX (sizeof(struct gpu_sample) + GPU_PROCESSES_MAX * sizeof(struct gpu_process))
#define GPU_MESSAGE_MAX GPU_SAMPLE_MAX /* the largest message */

/*
 * Returns true if @message, of @size bytes, has the form of this protocol: kind, size, text with its end, numbers of a
 * known form, and shares of at most GPU_SHARE_ALL. @message must be aligned to 8 bytes.
 */
bool gpu_message_is_valid(const void *message, size_t size);

#endif
