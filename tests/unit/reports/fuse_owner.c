/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the owner of a file on FUSE, by the kernel's list of mounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "reports/files/fuse_owner.h"

#define VICTIM 1001

static char mounts[] = "/tmp/stint-mounts.XXXXXX";

static const char text[] =
	"21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw,discard\n"
	"36 21 0:50 / /home/a/by\\040root rw,nosuid - fuse.sshfs root@server:/ rw,user_id=0,group_id=0,allow_other\n"
	"37 21 0:51 / /home/a/own rw,nosuid shared:7 master:2 - fuse.evil x,user_id=0 rw,user_id=1000,group_id=1000,allow_other\n"
	"39 21 0:53 / /home/a/blank rw - fuse  rw,user_id=1000,group_id=1000\n"
	"40 21 7:5 / /mnt rw - fuseblk /dev/loop5 ro,user_id=1002,group_id=0\n"
	"41 21 0:54 / /odd rw - fuse.odd odd rw,group_id=0\n"
	"42 21 0:54";

static int set_up(void **state)
{
	int fd = mkstemp(mounts);
	ssize_t written = write(fd, text, strlen(text));

	(void)state;
	close(fd);
	return fd < 0 || written != (ssize_t)strlen(text);
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(mounts);
}

static void whoever_mounted_it_owns_it_all_whatever_the_server_says(void **state)
{
	(void)state;
	assert_int_equal(fuse_owner_by(mounts, makedev(0, 51), VICTIM), 1000);
	assert_int_equal(fuse_owner_by(mounts, makedev(0, 51), 0), 1000);
	assert_int_equal(fuse_owner_by(mounts, makedev(0, 53), VICTIM), 1000);
	assert_int_equal(fuse_owner_by(mounts, makedev(7, 5), VICTIM), 1002);
}

static void what_root_mounted_is_believed(void **state)
{
	(void)state;
	assert_int_equal(fuse_owner_by(mounts, makedev(0, 50), VICTIM), VICTIM);
	assert_int_equal(fuse_owner_by(mounts, makedev(0, 50), 0), 0);
}

static void what_is_mounted_no_more_is_nobodys(void **state)
{
	(void)state;
	assert_int_equal(fuse_owner_by(mounts, makedev(0, 54), VICTIM), FUSE_OWNER_UNKNOWN);
	assert_int_equal(fuse_owner_by(mounts, makedev(0, 99), 0), FUSE_OWNER_UNKNOWN);
	assert_int_equal(fuse_owner_by("/nowhere", makedev(0, 50), 0), FUSE_OWNER_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whoever_mounted_it_owns_it_all_whatever_the_server_says),
		cmocka_unit_test(what_root_mounted_is_believed),
		cmocka_unit_test(what_is_mounted_no_more_is_nobodys),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
