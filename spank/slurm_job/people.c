/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/people.h"

#include <errno.h>
#include <stdbool.h>

#include <slurm/slurm_errno.h>

#include "common/json_writer.h"
#include "spank/slurm_job/slurm_compat.h"

static struct json_object *person_object(const slurmdb_user_rec_t *user)
{
	struct json_object *object = json_object_new_object(), *accounts;
	compat_list_iterator_t at;
	const slurmdb_coord_rec_t *account;

	put_known_text(object, "user", user->name);
	put_flag(object, "sees_all", user->admin_level >= SLURMDB_ADMIN_OPERATOR);
	accounts = put_array(object, "coordinates");
	if (!user->coord_accts)
		return object;
	at = slurm_list_iterator_create(user->coord_accts);
	while ((account = slurm_list_next(at)))
		json_object_array_add(accounts, json_object_new_string(account->name));
	slurm_list_iterator_destroy(at);
	return object;
}

static const char *print_users(compat_list_t users, int (*print)(struct json_object *person))
{
	compat_list_iterator_t at = slurm_list_iterator_create(users);
	const char *why = NULL;
	const slurmdb_user_rec_t *user;

	while (!why && (user = slurm_list_next(at))) {
		struct json_object *person = person_object(user);

		if (user->admin_level < SLURMDB_ADMIN_OPERATOR &&
		    json_object_array_length(json_object_object_get(person, "coordinates")) == 0)
			json_object_put(person);
		else if (print(person))
			why = "cannot print the users";
	}
	slurm_list_iterator_destroy(at);
	return why;
}

const char *people_print(int (*print)(struct json_object *person))
{
	slurmdb_user_cond_t which = { .with_coords = 1 };
	void *connection = slurmdb_connection_get(NULL);
	compat_list_t users = NULL;
	const char *why;

	errno = SLURM_SUCCESS;
	if (connection)
		users = slurmdb_users_get(connection, &which);
	why = users                 ? print_users(users, print)
	      : connection && errno ? slurm_strerror(errno)
				    : "there is no slurmdbd (slurm.conf: AccountingStorageType)";
	if (users)
		slurm_list_destroy(users);
	if (connection)
		slurmdb_connection_close(&connection);
	return why;
}
