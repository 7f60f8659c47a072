/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which character devices of /proc/devices are GPUs'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/kernel/gpu_devices.h"

static struct gpu_range ranges[ABI_GPU_RANGES];
static char devices[] = "/tmp/stint-gpu-devices-XXXXXX";

static void put_device(const char *number)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", devices, number);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void remove_device(const char *number)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", devices, number);
	assert_int_equal(rmdir(path), 0);
}

static int make_devices(void **state)
{
	(void)state;
	return mkdtemp(devices) ? 0 : -1;
}

static int remove_devices(void **state)
{
	(void)state;
	return rmdir(devices);
}

static bool has(__u32 count, __u32 major, __u32 minor)
{
	for (__u32 i = 0; i < count; i++)
		if (ranges[i].major == major && ranges[i].first <= minor && minor <= ranges[i].last)
			return true;
	return false;
}

static void finds_nvidias_devices(void **state)
{
	__u32 count = gpu_devices_parse("Character devices:\n  1 mem\n195 nvidia\n195 nvidia-modeset\n195 nvidiactl\n"
					"508 nvidia-uvm\n509 nvidia-caps\n510 nvidia-caps-imex-channels\n\nBlock devices:\n  8 sd\n",
					devices, ranges);

	(void)state;
	assert_int_equal(count, 3);
	assert_true(has(count, 195, 0) && has(count, 195, 255) && has(count, 508, 0) && has(count, 509, 1));
	assert_false(has(count, 1, 3) || has(count, 510, 0) || has(count, 8, 0));
}

static void a_display_is_no_gpu(void **state)
{
	__u32 count;

	(void)state;
	put_device("226:128");
	put_device("261:0");
	count = gpu_devices_parse("Character devices:\n226 drm\n235 kfd\n261 accel\n", devices, ranges);
	assert_int_equal(count, 3);
	assert_false(has(count, 226, 0) || has(count, 226, 127));
	assert_true(has(count, 226, 128) && has(count, 226, 300) && has(count, 235, 0) && has(count, 261, 0));
	remove_device("226:128");
	remove_device("261:0");
}

static void a_nodes_only_display_is_no_gpu(void **state)
{
	(void)state;
	put_device("1:128");
	put_device("226:0");
	put_device("226:64");
	assert_int_equal(gpu_devices_parse("226 drm\n261 accel\n", devices, ranges), 0);
	put_device("226:129");
	assert_int_equal(gpu_devices_parse("226 drm\n261 accel\n", devices, ranges), 1);
	assert_true(has(1, 226, 129));
	assert_int_equal(gpu_devices_parse("226 drm\n261 accel\n", "/nonexistent", ranges), 2);
	remove_device("1:128");
	remove_device("226:0");
	remove_device("226:64");
	remove_device("226:129");
}

static void devices_have_their_drivers_names(void **state)
{
	__u32 count = gpu_devices_parse("195 nvidia-modeset\n195 nvidia\n508 nvidia-uvm\n509 nvidia-caps\n235 kfd\n", devices, ranges);

	(void)state;
	assert_int_equal(count, 4);
	assert_string_equal(gpu_devices_name(ranges, count, 195, 3), "nvidia");
	assert_string_equal(gpu_devices_name(ranges, count, 195, 255), "nvidiactl");
	assert_string_equal(gpu_devices_name(ranges, count, 195, 254), "nvidia-modeset");
	assert_string_equal(gpu_devices_name(ranges, count, 508, 0), "nvidia-uvm");
	assert_string_equal(gpu_devices_name(ranges, count, 509, 12), "nvidia-caps");
	assert_string_equal(gpu_devices_name(ranges, count, 235, 0), "kfd");
	assert_null(gpu_devices_name(ranges, count, 1, 3));
}

static void a_former_name_is_known(void **state)
{
	(void)state;
	assert_int_equal(gpu_devices_parse("Character devices:\n195 nvidia-frontend\n", devices, ranges), 1);
	assert_true(has(1, 195, 0));
}

static void names_must_be_whole(void **state)
{
	(void)state;
	assert_int_equal(gpu_devices_parse("Character devices:\n 29 nvidiafb\n 30 xdrm\n 31 kfd0\n 32\n", devices, ranges), 0);
}

static void block_devices_are_no_gpus(void **state)
{
	(void)state;
	assert_int_equal(gpu_devices_parse("Character devices:\n  1 mem\n\nBlock devices:\n195 nvidia\n226 drm\n", devices,
					   ranges),
			 0);
}

static void junk_is_no_gpu(void **state)
{
	(void)state;
	assert_int_equal(gpu_devices_parse("", devices, ranges), 0);
	assert_int_equal(gpu_devices_parse("\n\n\n", devices, ranges), 0);
	assert_int_equal(gpu_devices_parse("0 nvidia\n4096 nvidia\n-1 nvidia\n99999999999 kfd\nnvidia 195\n", devices, ranges), 0);
	assert_int_equal(gpu_devices_parse("195 nvidia", devices, ranges), 1);
}

static void the_number_is_bounded(void **state)
{
	char text[1024] = "Character devices:\n";
	int used = 19;

	(void)state;
	for (int i = 1; i <= ABI_GPU_RANGES + 3; i++)
		used += snprintf(text + used, sizeof(text) - used, "%d nvidia\n", i);
	assert_int_equal(gpu_devices_parse(text, devices, ranges), ABI_GPU_RANGES);
	assert_true(has(ABI_GPU_RANGES, ABI_GPU_RANGES, 0));
}

static void this_machines_file_can_be_read(void **state)
{
	(void)state;
	assert_true(gpu_devices_read(ranges) <= ABI_GPU_RANGES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_nvidias_devices),
		cmocka_unit_test(a_display_is_no_gpu),
		cmocka_unit_test(a_nodes_only_display_is_no_gpu),
		cmocka_unit_test(devices_have_their_drivers_names),
		cmocka_unit_test(a_former_name_is_known),
		cmocka_unit_test(names_must_be_whole),
		cmocka_unit_test(block_devices_are_no_gpus),
		cmocka_unit_test(junk_is_no_gpu),
		cmocka_unit_test(the_number_is_bounded),
		cmocka_unit_test(this_machines_file_can_be_read),
	};

	return cmocka_run_group_tests_name("GPU devices", tests, make_devices, remove_devices);
}
