#!/bin/sh
# Every file with a translatable string stands in po/POTFILES.in, and every file named there exists and has one.
cd "$1" || exit 1
status=0
command -v xgettext >/dev/null || { echo "xgettext is missing: skipped"; exit 77; }
found=$(find app engine -name '*.[ch]' | sort | xgettext --from-code=UTF-8 --no-wrap --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=NC_:1c,2 \
            --keyword=g_dngettext:2,3 --keyword=ngettext:1,2 --keyword=dg_words:2,3 --files-from=- --output=- 2>/dev/null |
            sed -n 's/^#: //p' | tr ' ' '\n' | sed 's/:[0-9]*$//' | sort -u
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
