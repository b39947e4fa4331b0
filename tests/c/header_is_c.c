// SPDX-License-Identifier: MIT
// The headers are C: this file is compiled as C11 with all warnings as errors, linked and run.
#include "web/native/glissade_lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCapacity = 4, kAlignment = 64 };

static int expect(int holds, const char* what) {
    if (!holds) {
        fprintf(stderr, "%s: %s\n", what, glissade_problem());
    }
    return holds ? 0 : 1;
}

// The rows are nothing but doubles, as the TypeScript front has them.
static int check_layout(void) {
    int failures = expect(sizeof(glissade_row) == 14 * sizeof(double), "glissade_row");
    failures += expect(sizeof(glissade_drawn) == 8 * sizeof(double), "glissade_drawn");
    failures += expect(sizeof(glissade_times) == 8 * sizeof(double), "glissade_times");
    failures += expect(sizeof(glissade_report) == 12 * sizeof(double), "glissade_report");
    failures += expect(sizeof(glissade_step) == 5 * sizeof(double), "glissade_step");
    failures += expect(sizeof(glissade_sample) == 3 * sizeof(double), "glissade_sample");
    failures += expect(sizeof(glissade_view) == 10 * sizeof(double), "glissade_view");
    failures += expect(sizeof(glissade_score) == 11 * sizeof(double), "glissade_score");
    return failures;
}

// A body goes from a writer through a link to a playout.
static int check_hand_off(void* memory, size_t bytes) {
    glissade_writer* const writer = glissade_writer_create(memory, bytes);
    glissade_playout* const playout = glissade_playout_create(memory, bytes, NAN);
    if (writer == NULL || playout == NULL) {
        return expect(0, "joining a link");
    }
    const glissade_row row = {.position = {1.0, 2.0, 3.0}, .rotation = {0.0, 0.0, 0.0, 1.0}};
    const glissade_id id = glissade_writer_add(writer, &row);
    const glissade_times times = {.tick = 1.0,
                                  .time_ms = 16.0,
                                  .duration_ms = 16.0,
                                  .due_ms = NAN,
                                  .published_ms = 16.0,
                                  .time_scale = 1.0};
    int failures = expect(glissade_writer_publish(writer, &times), "publishing");
    failures += expect(glissade_playout_present(playout, 17.0, NAN) == 1, "one object is visible");
    const glissade_drawn* const drawn = glissade_playout_poses(playout);
    failures += expect(drawn->id == id && drawn->position[1] == 2.0, "it is where it was put");
    glissade_playout_destroy(playout);
    glissade_writer_destroy(writer);
    return failures;
}

static int check_problem(void) {
    glissade_method* const none = glissade_method_create("no-such-method", 16.0, 1);
    return expect(none == NULL && strstr(glissade_problem(), "no method of that name") != NULL,
                  "an unknown method is refused with a reason");
}

int main(void) {
    const size_t bytes = glissade_link_bytes(kCapacity);
    void* const memory = aligned_alloc(kAlignment, bytes);
    int failures = expect(memory != NULL, "memory");
    failures += expect(glissade_link_format(memory, bytes, kCapacity), "a link");
    failures += check_layout() + check_hand_off(memory, bytes) + check_problem();
    free(memory);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
