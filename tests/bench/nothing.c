/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shortest process there is: what the spawn workload runs. */
int main(void)
{
	return 0;
}
