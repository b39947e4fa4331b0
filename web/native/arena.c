// SPDX-License-Identifier: MIT
// The heap of one instance in a memory that several share: a part of it that is this instance's
// alone.
//
// Instances of page and worker share all static data, so a usual malloc() would need a lock, and a
// page may not wait for one. Here each instance has its own arena instead; the only word per
// instance is thread-local. Memory must be given back by the instance that took it. The allocator
// is dlmalloc's mspace, from the sources that Emscripten installs.
#define ONLY_MSPACES 1
#define MSPACES 1
#define HAVE_MMAP 0
#define HAVE_MORECORE 0
#define NO_MALLINFO 1
#define MALLOC_ALIGNMENT ((size_t)16U)
#include <dlmalloc.c>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

static _Thread_local mspace arena;

// Once for each instance, before anything else is called in it.
void glissade_arena_init(void* begin, size_t bytes) {
    arena = create_mspace_with_base(begin, bytes, 0);
}

// The names by which Emscripten's C library calls the same.
void* __libc_malloc(size_t bytes) __attribute__((alias("malloc")));
void* emscripten_builtin_malloc(size_t bytes) __attribute__((alias("malloc")));
void __libc_free(void* memory) __attribute__((alias("free")));
void* __libc_calloc(size_t count, size_t bytes) __attribute__((alias("calloc")));

void* malloc(size_t bytes) {
    return mspace_malloc(arena, bytes);
}
void free(void* memory) {
    mspace_free(arena, memory);
}
void* calloc(size_t count, size_t bytes) {
    return mspace_calloc(arena, count, bytes);
}
void* realloc(void* memory, size_t bytes) {
    return mspace_realloc(arena, memory, bytes);
}
void* memalign(size_t alignment, size_t bytes) {
    return mspace_memalign(arena, alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
    return mspace_memalign(arena, alignment, bytes);
}
int posix_memalign(void** out, size_t alignment, size_t bytes) {
    void* const memory = mspace_memalign(arena, alignment, bytes);
    if (memory == NULL) {
        return ENOMEM;
    }
    *out = memory;
    return 0;
}
