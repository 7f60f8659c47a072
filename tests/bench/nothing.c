/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shortest process: the spawn workload runs it. */
int main(void)
{
	return 0;
}
