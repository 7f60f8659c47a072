#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes C source from the files of the page: for each NAME=FILE[,FILE...] an array html_NAME, and for each script=... or
# library=... also html_NAME_hash, by which the page's Content-Security-Policy knows it. NAME= without a file gives an
# empty array. Our own scripts become one function, so that nothing in them is global.
set -eu
LC_ALL=C
export LC_ALL

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

array() { # NAME FILE
	echo "const char html_$1[] = {"
	od -An -v -tx1 "$2" | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'
	echo "0 };"
}

hash() { # FILE
	env printf "$(sha256sum "$1" | cut -c 1-64 | sed 's/../\\x&/g')" | base64
}

echo '/* Made by reports/html/embed.sh. */'
echo '#include "reports/html/html_internal.h"'
for argument; do
	name=${argument%%=*} files=${argument#*=}
	: >"$work/text"
	[ "$name" != script ] || printf '"use strict";\n(() => {\n' >"$work/text"
	for file in $(echo "$files" | tr , ' '); do
		# Source maps are files that the page does not have.
		sed '/^\/\/# sourceMappingURL=/d' "$file" >>"$work/text"
	done
	[ "$name" != script ] || echo '})();' >>"$work/text"
	case $name in
	script | library)
		if grep -qi '</script\|<!--' "$work/text"; then
			echo "embed.sh: $files: cannot stand in a page: it has an end of a script" >&2
			exit 1
		fi
		printf "'sha256-%s'" "$(hash "$work/text")" >"$work/hash"
		array "${name}_hash" "$work/hash"
		;;
	esac
	array "$name" "$work/text"
done
