#!/bin/sh
# Each catalogue is well formed and complete against the strings in the tree: nothing missing, nothing fuzzy.
cd "$1" || exit 1
for tool in xgettext msgmerge msgfmt; do
    command -v $tool >/dev/null || { echo "$tool is missing: skipped"; exit 77; }
done
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export GETTEXTDATADIRS="$PWD/data"
grep -v '^#' po/POTFILES.in | xgettext --from-code=UTF-8 --add-comments --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=NC_:1c,2 \
    --keyword=g_dngettext:2,3 --keyword=ngettext:1,2 --keyword=dg_words:2,3 --files-from=- --output="$scratch/all.pot" 2>"$scratch/log" || { cat "$scratch/log"; exit 1; }
[ "$(grep -c '^msgid' "$scratch/all.pot")" -gt 5 ] || { echo "no strings found in the tree"; exit 1; }
status=0
for language in $(cat po/LINGUAS); do
    msgfmt --check --output=/dev/null "po/$language.po" || status=1
    msgmerge --quiet --no-fuzzy-matching --output="$scratch/$language.po" "po/$language.po" "$scratch/all.pot"
    missing=$(msgattrib --untranslated --no-obsolete "$scratch/$language.po" | grep -c '^msgid ')
    fuzzy=$(msgattrib --only-fuzzy --no-obsolete "$scratch/$language.po" | grep -c '^msgid ')
    if [ "$missing" -gt 1 ] || [ "$fuzzy" -gt 1 ]; then
        echo "$language: $missing strings untranslated, $fuzzy fuzzy"
        msgattrib --untranslated --no-obsolete "$scratch/$language.po" | grep '^msgid' | head -20
        status=1
    fi
done
exit $status
