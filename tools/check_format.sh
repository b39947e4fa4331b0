#!/usr/bin/env bash
# Names the C++ files that are not formatted, or with --fix formats them. Only clang-format 14: others format differently.
# Exit code 77 when it is not installed, which ctest shows as skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ $# -gt 1 || ( $# -eq 1 && $1 != --fix ) ]]; then
    echo "usage: tools/check_format.sh [--fix]" >&2
    exit 2
fi
if ! command -v clang-format-14 >/dev/null; then
    echo "skipped: clang-format-14 is not installed (package clang-format-14)"
    exit 77
fi

folders=()
for folder in include src tests bench examples lab app demos web/native; do
    if [[ -d $folder ]]; then folders+=("$folder"); fi
done
mapfile -d '' files < <(find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.inl' -o -name '*.c' \) -print0)

if [[ ${1:-} == --fix ]]; then
    clang-format-14 -i "${files[@]}"
    exit
fi

if clang-format-14 --dry-run -Werror "${files[@]}" 2>/dev/null; then
    exit 0
fi
for file in "${files[@]}"; do
    if ! clang-format-14 --dry-run -Werror "$file" >/dev/null 2>&1; then echo "$file is not formatted"; fi
done
echo "run tools/check_format.sh --fix"
exit 1
