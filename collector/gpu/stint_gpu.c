/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-gpu: reads the GPUs of this node through the vendors' libraries, in a process of its own: a library may hang or
 * crash. stintd starts it while a job has GPUs (gpu_protocol.h).
 */
#include <argp.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "collector/gpu/gpu_confine.h"
#include "collector/gpu/gpu_list.h"
#include "collector/gpu/gpu_source.h"
#include "collector/gpu/nvml.h"
#include "collector/gpu/rsmi.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/usage.h"

#define ROUND_NS 1000000000ull
#define LIST_MAX_S 20 /* a library that takes longer hangs */
#define EXIT_NO_GPUS 3

const char *argp_program_version = "stint-gpu " PACKAGE_VERSION;

static const struct gpu_source *const sources[GPU_VENDORS] = {
	[GPU_NVIDIA] = &nvml_source,
	[GPU_AMD] = &rsmi_source,
};

/* The GPUs, and where they were in the last round. */
static struct gpu_table table;
static struct gpu_hello hello;
static uint64_t last_ns[GPU_MAX];
static bool opened[GPU_VENDORS];

static void open_sources(void)
{
	hello.header = (struct gpu_header){ GPU_PROTOCOL, GPU_HELLO, sizeof(hello) };
	for (int i = 0; i < GPU_VENDORS; i++)
		opened[i] = sources[i]->open(&table, &hello.libraries[i]);
}

/* Ends the program: nobody reads. */
static void put(const void *message, size_t size)
{
	if (file_write_all(STDOUT_FILENO, message, size) < 0)
		exit(0);
}

static void put_devices(void)
{
	put(&hello, sizeof(hello));
	for (uint32_t i = 0; i < table.count; i++) {
		table.devices[i].header = (struct gpu_header){ GPU_PROTOCOL, GPU_DEVICE, sizeof(table.devices[i]) };
		put(&table.devices[i], sizeof(table.devices[i]));
	}
}

/* Returns the sample of @device, valid until the next call. */
static const struct gpu_sample *read_device(const struct gpu_device *device)
{
	static union {
		struct gpu_sample sample;
		char room[GPU_SAMPLE_MAX];
	} buffer;
	struct gpu_sample *sample = &buffer.sample;

	memset(&buffer, 0, sizeof(buffer));
	sample->gpu = device->gpu;
	sample->to_ns = clock_ns(CLOCK_BOOTTIME);
	sample->from_ns = last_ns[device->gpu] ? last_ns[device->gpu] : sample->to_ns;
	last_ns[device->gpu] = sample->to_ns;
	sources[device->vendor]->read(device, sample);
	sample->header = (struct gpu_header){
		GPU_PROTOCOL,
		GPU_SAMPLE,
		sizeof(*sample) + sample->processes * sizeof(sample->process[0]),
	};
	return sample;
}

static void begin_round(void)
{
	for (int i = 0; i < GPU_VENDORS; i++)
		if (opened[i])
			sources[i]->begin();
}

static void put_round(void)
{
	struct gpu_round end = { .header = { GPU_PROTOCOL, GPU_ROUND, sizeof(end) } };
	const struct gpu_sample *sample;

	begin_round();
	for (uint32_t i = 0; i < table.count; i++) {
		sample = read_device(&table.devices[i]);
		put(sample, sample->header.size);
	}
	end.at_ns = clock_ns(CLOCK_BOOTTIME);
	put(&end, sizeof(end));
}

/* Returns false if the standard input is closed. */
static bool wait_until(uint64_t next_ns)
{
	struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
	uint64_t now_ns;
	char byte;

	while ((now_ns = clock_ns(CLOCK_MONOTONIC)) < next_ns) {
		if (poll(&input, 1, (int)((next_ns - now_ns) / 1000000) + 1) > 0 && read(STDIN_FILENO, &byte, 1) <= 0)
			return false;
	}
	return true;
}

/* A round that is late is left out: the next samples then stand for a longer time. */
static void run(uint64_t period_ns)
{
	uint64_t next_ns = clock_ns(CLOCK_MONOTONIC);

	put_devices();
	do {
		put_round();
		next_ns += period_ns;
		if (next_ns < clock_ns(CLOCK_MONOTONIC))
			next_ns = clock_ns(CLOCK_MONOTONIC) + period_ns;
	} while (wait_until(next_ns));
}

/* Counters and samples need a second reading. */
static void print_list(void)
{
	begin_round();
	for (uint32_t i = 0; i < table.count; i++)
		read_device(&table.devices[i]);
	poll(NULL, 0, table.count ? 1000 : 0);
	begin_round();
	gpu_list_libraries(&hello);
	for (uint32_t i = 0; i < table.count; i++)
		gpu_list_print(&table.devices[i], read_device(&table.devices[i]));
}

static void list_hangs(int signal)
{
	static const char text[] = "stint-gpu: the vendor's library does not answer: the driver may hang\n";

	(void)signal;
	_exit(write(STDERR_FILENO, text, sizeof(text) - 1) < 0 ? 1 : 1);
}

struct arguments {
	bool list;
	uint64_t period_ns;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	long ms;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		return 0;
	case 'l':
		arguments->list = true;
		return 0;
	case 'p':
		ms = usage_number(value, 3600000);
		if (ms < 100)
			usage_fail(state, "'%s' is no number of milliseconds from 100 to 3600000", value);
		arguments->period_ns = (uint64_t)ms * 1000000;
		return 0;
	case ARGP_KEY_ARG:
		usage_fail(state, "stint-gpu takes no arguments: '%s'", value);
	}
	return ARGP_ERR_UNKNOWN;
}

int main(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "list", 'l', NULL, 0, "Print the GPUs of this node and what can be read about them, and exit", 0 },
		{ "period", 'p', "MS", 0, "Read the GPUs every MS milliseconds (default: 1000)", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.doc = "Reads the GPUs of this node through the vendors' libraries. stintd starts it while a job has GPUs. It writes "
		       "binary samples to its standard output for as long as its standard input is open.\v"
		       "Exits with 3 if there is no GPU that it can read.",
	};
	struct arguments arguments = { .period_ns = ROUND_NS };
	struct error err;

	usage_parse(&argp, argc, argv, 0, &arguments);
	signal(SIGPIPE, SIG_IGN);
	if (gpu_confine(&err) < 0) {
		fprintf(stderr, "stint-gpu: %s\n", err.text);
		return 1;
	}
	if (arguments.list) {
		signal(SIGALRM, list_hangs);
		alarm(LIST_MAX_S);
	}
	open_sources();
	if (arguments.list)
		print_list();
	else if (table.count)
		run(arguments.period_ns);
	else
		put(&hello, sizeof(hello));
	return table.count ? 0 : EXIT_NO_GPUS;
}
