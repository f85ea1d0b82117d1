#!/bin/sh
# Every file with a translatable string stands in po/POTFILES.in, and every file named there exists and has one.
cd "$1" || exit 1
status=0
found=$(grep -lE '(^|[^A-Za-z_])(_|N_|C_|NC_|ngettext|g_dngettext) ?\("' -r app engine --include='*.c' --include='*.h' | sort
        grep -l 'translatable="yes"' -r app --include='*.ui' | sort
        ls data/*.in)
for file in $found; do
    grep -qx "$file" po/POTFILES.in || { echo "$file has translatable strings and is not in po/POTFILES.in"; status=1; }
done
while read -r file; do
    case $file in ''|'#'*) continue ;; esac
    printf '%s\n' "$found" | grep -qx "$file" || { echo "po/POTFILES.in names $file, which is not there or has nothing to translate"; status=1; }
done < po/POTFILES.in
exit $status
