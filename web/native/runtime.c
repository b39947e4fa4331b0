// SPDX-License-Identifier: MIT
// What the C and C++ libraries would ask Emscripten's JavaScript for. An instance has no console
// and no files: last words go where glissade_problem() finds them, and the end is a trap, an
// exception in JavaScript with the stack that led to it.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

void glissade_last_words(const char* words); // border.cpp

#undef stderr
FILE* const stderr = NULL;

static _Thread_local int has_words;

int fprintf(FILE* file, const char* format, ...) {
    (void)file;
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    glissade_last_words(words);
    has_words = 1;
    return length;
}

// What the compiler makes of it where no float is printed.
int fiprintf(FILE* file, const char* format, ...) __attribute__((alias("fprintf")));
int __small_fprintf(FILE* file, const char* format, ...) __attribute__((alias("fprintf")));

// Without words it is an allocation that failed: the C++ library has nowhere to throw to.
_Noreturn void abort(void) {
    if (!has_words) {
        glissade_last_words("out of memory");
    }
    __builtin_trap();
}

void* __cxa_allocate_exception(size_t bytes) {
    (void)bytes;
    abort();
}

void __cxa_throw(void* thrown, void* type, void (*destroy)(void*)) {
    (void)thrown;
    (void)type;
    (void)destroy;
    abort();
}

// memcpy() of the C library hands large blocks on; bulk memory makes it one instruction.
void* emscripten_memcpy_big(void* to, const void* from, size_t bytes) {
    return __builtin_memcpy(to, from, bytes);
}
