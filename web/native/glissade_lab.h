// SPDX-License-Identifier: MIT
// The lab behind the C interface: methods to draw motion, recordings that judge them, traces.
// Times, names, problems and threads are as glissade.h has them.
//
// Allocates: the create functions, and recordings as they grow to their length.
#ifndef GLISSADE_LAB_C_H
#define GLISSADE_LAB_C_H

#include "web/native/glissade.h"

#ifdef __cplusplus
extern "C" {
#endif

// The lab's methods: what the well-known attempts would draw.

typedef struct glissade_method glissade_method;

uint32_t glissade_method_count(void);
// By number below the count; null beyond it. Number 0 is `playout`.
const char* glissade_method_name(uint32_t number);
const char* glissade_method_line(uint32_t number); // What it does and what is seen.
int32_t glissade_method_is_ours(uint32_t number);

// `tick_ms`: the length of a tick; NaN if ticks vary.
glissade_method* glissade_method_create(const char* name, double tick_ms, uint32_t max_objects);
void glissade_method_destroy(glissade_method* method);
void glissade_method_tick(glissade_method* method, const glissade_tick* tick);
// What this frame shows: how many objects are drawn. `frame` counts up.
uint32_t glissade_method_frame(glissade_method* method, double frame, double cpu_ms,
                               double present_ms);
const glissade_drawn* glissade_method_poses(const glissade_method* method);
// Of the last frame: the source time that it aimed at, and how far behind the source that is.
double glissade_method_sample(const glissade_method* method);
double glissade_method_delay(const glissade_method* method);

// A recording: the last seconds, judged and saved.

typedef struct glissade_recording glissade_recording;

typedef struct glissade_score {
    double rate_error; // RMS of rate - 1; 0 is perfect. NaN, as all below: nothing to judge.
    double lag_ms;     // Behind the newest state carried on to the frame, mean; NaN as above.
    double delay_ms;   // What the method itself says it is behind; NaN if it does not.
    double
        lateness_p50_ms; // Of the ticks, against their schedule or the line through their arrivals.
    double lateness_p99_ms;
    double frames;    // Judged ones.
    double underruns; // Frames that showed a time after the newest state.
    double held;      // Frames in which the object stood though it moved.
    double jumps;     // Frames that made up for it: faster than 1.5 times.
    double backward;  // Frames in which it ran back.
    double streaks;   // Frames that drew it between the two sides of a teleport.
} glissade_score;     // 11 doubles

// Keeps the last `seconds` of `sides` drawings (1 to 4).
glissade_recording* glissade_recording_create(const char* name, double tick_ms, double seconds,
                                              uint32_t sides);
void glissade_recording_destroy(glissade_recording* recording);
// Records this object, up to 64 of them; the others cost nothing.
int32_t glissade_recording_watch(glissade_recording* recording, glissade_id id);
// In the order in which they happened: ticks as they were read, then the frame, then what each side
// drew in it.
void glissade_recording_tick(glissade_recording* recording, const glissade_tick* tick);
void glissade_recording_frame(glissade_recording* recording, double frame, double cpu_ms,
                              double present_ms);
void glissade_recording_drawn(glissade_recording* recording, uint32_t side,
                              const glissade_method* method);
void glissade_recording_clear(glissade_recording* recording);
// The last `seconds` of one object as a side drew it.
int32_t glissade_recording_score(const glissade_recording* recording, uint32_t side, glissade_id id,
                                 double seconds, glissade_score* out);
// As text that `glissade doctor` reads; valid until the next call. Its length without the 0 at its
// end.
const char* glissade_recording_trace_text(glissade_recording* recording, size_t* length);
const char* glissade_recording_drawn_text(glissade_recording* recording, uint32_t side,
                                          size_t* length);

// What the doctor says of a recording.
typedef struct glissade_diagnosis glissade_diagnosis;

// Of what a side drew; a side beyond the last: of the trace alone.
glissade_diagnosis* glissade_diagnosis_create(const glissade_recording* recording, uint32_t side);
void glissade_diagnosis_destroy(glissade_diagnosis* diagnosis);
// 1: nothing was found, and what was drawn is even.
int32_t glissade_diagnosis_healthy(const glissade_diagnosis* diagnosis);
// What was found, worst first. Texts by number below the count, null beyond it.
uint32_t glissade_diagnosis_count(const glissade_diagnosis* diagnosis);
const char* glissade_diagnosis_name(const glissade_diagnosis* diagnosis, uint32_t number);
const char* glissade_diagnosis_what(const glissade_diagnosis* diagnosis, uint32_t number);
const char* glissade_diagnosis_evidence(const glissade_diagnosis* diagnosis, uint32_t number);
const char* glissade_diagnosis_cure(const glissade_diagnosis* diagnosis, uint32_t number);
// How much of it is seen, as a rate error.
double glissade_diagnosis_severity(const glissade_diagnosis* diagnosis, uint32_t number);
// What could not be examined, and what would be needed for it.
uint32_t glissade_diagnosis_note_count(const glissade_diagnosis* diagnosis);
const char* glissade_diagnosis_note(const glissade_diagnosis* diagnosis, uint32_t number);

// A trace: replayed line by line.

typedef struct glissade_trace glissade_trace;

// Reads a whole trace; null with its line and the reason if it is bad.
glissade_trace* glissade_trace_create(const char* text, size_t length);
void glissade_trace_destroy(glissade_trace* trace);
const char* glissade_trace_name(const glissade_trace* trace);
double glissade_trace_tick_ms(const glissade_trace* trace); // NaN if ticks vary.
double glissade_trace_first_ms(
    const glissade_trace* trace); // Of the first and the last line, reader's clock.
double glissade_trace_last_ms(const glissade_trace* trace);
uint32_t glissade_trace_frame_count(const glissade_trace* trace);
// The objects of it, as glissade_tick_rows() will name them: how many; `out` may be null.
uint32_t glissade_trace_ids(const glissade_trace* trace, glissade_id* out, uint32_t room);
// The next line that happened at or before `until_ms`: 0 none, 1 a tick, 2 a frame.
int32_t glissade_trace_next(glissade_trace* trace, double until_ms);
const glissade_tick* glissade_trace_tick(const glissade_trace* trace);
// Number, cpu and present (NaN without) of the frame.
void glissade_trace_frame(const glissade_trace* trace, double* out);
// From the beginning again.
void glissade_trace_rewind(glissade_trace* trace);

#ifdef __cplusplus
}
#endif

#endif
