// SPDX-License-Identifier: MIT
// The library behind a C interface: for WebAssembly, and for any language that can call C.
//
// Times are double milliseconds: a clock's own, and those of a source's timeline. "No such time" is
// NaN. Objects are named by numbers (glissade_id), which are whole, never reused, and exact in a
// double. What fails returns 0 or null, changes nothing, and glissade_problem() says what, where
// and why.
//
// Thread safety: an object belongs to one thread. Two threads meet in a link alone: one writes, one
// reads, nobody waits. Allocates: the create functions; a reader
// until it has seen its largest snapshot. glissade_lab.h has methods, recordings
// and traces.
#ifndef GLISSADE_C_H
#define GLISSADE_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What went wrong.

// Why the last call of this thread that failed did so, one sentence; "" before the first. Valid
// until the next one.
const char* glissade_problem(void);
// "0.1.0"
const char* glissade_version(void);

// Memory for rows and texts, from this thread's arena in WebAssembly; null if there is none left.
void* glissade_alloc(size_t bytes);
void glissade_free(void* memory);

// Rows.

typedef double glissade_id; // 0 names nothing.

// An object as a simulation tells of it: rows of doubles, so that a typed array can hold many.
typedef struct glissade_row {
    glissade_id id;
    double position[3];         // m
    double rotation[4];         // x, y, z, w
    double velocity[3];         // m/s
    double angular_velocity[3]; // rad/s
} glissade_row;                 // 14 doubles

// An object as it is drawn.
typedef struct glissade_drawn {
    glissade_id id;
    double position[3];
    double rotation[4]; // x, y, z, w
} glissade_drawn;       // 8 doubles

// The times of one state.
typedef struct glissade_times {
    double tick;         // The source's number of it, counts up.
    double time_ms;      // When the state is true, on the source's timeline.
    double duration_ms;  // Since the state before, > 0. NaN in a trace, which does not tell.
    double due_ms;       // When it was scheduled, writer's clock; NaN: there is no schedule.
    double published_ms; // The writer's clock, now.
    double time_scale;   // Source time per real time, >= 0.
    double paused;       // 1: source time stands still until further notice.
    double epoch;        // Changes when the source gave time up.
} glissade_times;        // 8 doubles

// A link: memory that two threads share.

// Bytes of a link for so many objects; 0 if it cannot be.
size_t glissade_link_bytes(uint32_t capacity);
// Lays a link out. `memory` at a multiple of 64. Once, before either side joins.
int32_t glissade_link_format(void* memory, size_t bytes, uint32_t capacity);

// The writer: the simulation's end.

typedef struct glissade_writer glissade_writer;

glissade_writer* glissade_writer_create(void* link, size_t bytes);
void glissade_writer_destroy(glissade_writer* writer);
// A new object, in the snapshots from the next one on; row->id is not read.
glissade_id glissade_writer_add(glissade_writer* writer, const glissade_row* row);
int32_t glissade_writer_remove(glissade_writer* writer, glissade_id id);
// Where objects are after this tick. Stops at the first row that is refused: the number of rows
// taken.
uint32_t glissade_writer_move(glissade_writer* writer, const glissade_row* rows, uint32_t count);
// A teleport: the object was not on the way there.
int32_t glissade_writer_cut(glissade_writer* writer, const glissade_row* row);
// A portal: rotation (x, y, z, w), then translation (x, y, z); it keeps moving. Move it to its new
// place as well.
int32_t glissade_writer_shift(glissade_writer* writer, glissade_id id, const double* rotation,
                              const double* translation);
// Hands the state of all objects over.
int32_t glissade_writer_publish(glissade_writer* writer, const glissade_times* times);

// The reader: snapshots as they come.

typedef struct glissade_reader glissade_reader;
// A state with its times, as methods and recordings take it. Belongs to who gave it, until it is
// asked for more.
typedef struct glissade_tick glissade_tick;

glissade_reader* glissade_reader_create(void* link, size_t bytes);
void glissade_reader_destroy(glissade_reader* reader);
// The next snapshot, oldest first; null if all were taken. `cpu_ms`: the reader's clock, now.
const glissade_tick* glissade_reader_next(glissade_reader* reader, double cpu_ms);
// Snapshots that were overwritten before they were taken.
double glissade_reader_skipped(const glissade_reader* reader);

void glissade_tick_times(const glissade_tick* tick, glissade_times* out);
uint32_t glissade_tick_count(const glissade_tick* tick);
// All its objects; `out` has room for glissade_tick_count() rows.
void glissade_tick_rows(const glissade_tick* tick, glissade_row* out);

// Without shared memory a snapshot travels as a message: the last one taken, as bytes, out of one
// link ...
size_t glissade_reader_message_bytes(const glissade_reader* reader);
int32_t glissade_reader_message(const glissade_reader* reader, void* out, size_t bytes);
// ... and into another of the same capacity, where it counts as published at `received_ms`.
typedef struct glissade_relay glissade_relay;
glissade_relay* glissade_relay_create(void* link, size_t bytes);
void glissade_relay_destroy(glissade_relay* relay);
int32_t glissade_relay_post(glissade_relay* relay, const void* message, size_t bytes,
                            double received_ms);

// Playout: the renderer's end, one call a frame.

typedef struct glissade_playout glissade_playout;

typedef struct glissade_report {
    double delay_ms;         // Behind the source's present, source time.
    double tick_ms;          // Between the last two states.
    double lateness_p50_ms;  // Half of the states came at most that late.
    double lateness_p995_ms; // 99.5 % of them.
    double rate;             // Source time per real time.
    double scheduled;        // 1: the source says when ticks are due.
    double states;           // Taken in.
    double frames;           // Since the picture began to run.
    double underruns;        // Frames that showed a time after the newest state.
    double held;             // Frames that stood because there was no data.
    double relocks;          // Times that the source lost or reset its time.
    double sample_ms;        // The source time that the last frame shows; NaN before the first.
} glissade_report;           // 12 doubles

// Joins the link as its reader. `fixed_delay_ms`: NaN for the measured one.
glissade_playout* glissade_playout_create(void* link, size_t bytes, double fixed_delay_ms);
void glissade_playout_destroy(glissade_playout* playout);
// Takes in what was published and works out where everything is in this frame: how many objects are
// visible. `stamp_ms`: the display's own time of the frame (in a browser the argument of
// requestAnimationFrame), or NaN.
uint32_t glissade_playout_present(glissade_playout* playout, double cpu_ms, double stamp_ms);
// Of the last present: one row, and one matrix of 16 floats by columns, for each visible object.
const glissade_drawn* glissade_playout_poses(const glissade_playout* playout);
const float* glissade_playout_matrices(const glissade_playout* playout);
void glissade_playout_report(const glissade_playout* playout, glissade_report* out);

// Clocks of a simulation.

// One tick to run.
typedef struct glissade_step {
    double tick;        // 1 is the first.
    double time_ms;     // When the state that it makes is true.
    double duration_ms; // Since the state before.
    double step_s;      // For the physics engine: the exact period.
    double due_ms;      // When it was due, the clock of the call; NaN in a FixedStep.
} glissade_step;        // 5 doubles

typedef struct glissade_sample {
    double time_ms;     // The source time that the frame shows.
    double alpha;       // Where that is between the last two ticks, 0 to 1.
    double newest_tick; // The newest one that ran.
} glissade_sample;      // 3 doubles

// Fixed ticks on the thread that draws.
typedef struct glissade_fixed_step glissade_fixed_step;
glissade_fixed_step* glissade_fixed_step_create(double rate_hz, uint32_t max_ticks);
void glissade_fixed_step_destroy(glissade_fixed_step* clock);
// The number of ticks to run before the frame of `present_ms`; they are
// glissade_fixed_step_steps().
uint32_t glissade_fixed_step_advance(glissade_fixed_step* clock, double present_ms);
const glissade_step* glissade_fixed_step_steps(const glissade_fixed_step* clock);
void glissade_fixed_step_sample(const glissade_fixed_step* clock, glissade_sample* out);
int32_t glissade_fixed_step_set_time_scale(glissade_fixed_step* clock, double scale);
void glissade_fixed_step_set_paused(glissade_fixed_step* clock, int32_t paused);

// The absolute schedule of a thread of its own.
typedef struct glissade_pacer glissade_pacer;
// `start_ms`: source time before the first tick.
glissade_pacer* glissade_pacer_create(double rate_hz, uint32_t max_ticks, double start_ms);
void glissade_pacer_destroy(glissade_pacer* pacer);
uint32_t glissade_pacer_wake(glissade_pacer* pacer, double now_ms);
const glissade_step* glissade_pacer_steps(const glissade_pacer* pacer);
// Sleep until then.
double glissade_pacer_next_due(const glissade_pacer* pacer);
double glissade_pacer_epoch(const glissade_pacer* pacer);
int32_t glissade_pacer_set_time_scale(glissade_pacer* pacer, double scale);
void glissade_pacer_set_paused(glissade_pacer* pacer, int32_t paused);

// The follow camera.

typedef struct glissade_camera glissade_camera;

typedef struct glissade_view {
    double eye[3];
    double look_at[3];
    double rotation[4]; // x, y, z, w; turns -Z to look_at and +Y up.
} glissade_view;        // 10 doubles

// `damping` 1/s; 0 follows at once.
glissade_camera* glissade_camera_create(double distance, double height, double damping);
void glissade_camera_destroy(glissade_camera* camera);
// `elapsed_ms` of presented time since the last update; a changed `cuts` jumps.
void glissade_camera_update(glissade_camera* camera, const double* position, double yaw_rad,
                            uint32_t cuts, double elapsed_ms, glissade_view* out);

#ifdef __cplusplus
}
#endif

#endif
