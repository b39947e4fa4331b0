// The functions of native/glissade.h as WebAssembly exports them: pointers and sizes are plain numbers.
export type Pointer = number;

export interface Native {
    readonly __stack_pointer: WebAssembly.Global;
    readonly __heap_base: WebAssembly.Global;
    readonly __tls_size: WebAssembly.Global;
    __wasm_init_tls(block: Pointer): void;
    __wasm_call_ctors(): void;
    glissade_arena_init(begin: Pointer, bytes: number): void;

    glissade_problem(): Pointer;
    glissade_version(): Pointer;
    glissade_alloc(bytes: number): Pointer;
    glissade_free(memory: Pointer): void;

    glissade_link_bytes(capacity: number): number;
    glissade_link_format(memory: Pointer, bytes: number, capacity: number): number;

    glissade_writer_create(link: Pointer, bytes: number): Pointer;
    glissade_writer_destroy(writer: Pointer): void;
    glissade_writer_add(writer: Pointer, row: Pointer): number;
    glissade_writer_remove(writer: Pointer, id: number): number;
    glissade_writer_move(writer: Pointer, rows: Pointer, count: number): number;
    glissade_writer_cut(writer: Pointer, row: Pointer): number;
    glissade_writer_shift(writer: Pointer, id: number, rotation: Pointer, translation: Pointer): number;
    glissade_writer_publish(writer: Pointer, times: Pointer): number;

    glissade_reader_create(link: Pointer, bytes: number): Pointer;
    glissade_reader_destroy(reader: Pointer): void;
    glissade_reader_next(reader: Pointer, cpuMs: number): Pointer;
    glissade_reader_skipped(reader: Pointer): number;
    glissade_reader_message_bytes(reader: Pointer): number;
    glissade_reader_message(reader: Pointer, out: Pointer, bytes: number): number;
    glissade_tick_times(tick: Pointer, out: Pointer): void;
    glissade_tick_count(tick: Pointer): number;
    glissade_tick_rows(tick: Pointer, out: Pointer): void;
    glissade_relay_create(link: Pointer, bytes: number): Pointer;
    glissade_relay_destroy(relay: Pointer): void;
    glissade_relay_post(relay: Pointer, message: Pointer, bytes: number, receivedMs: number): number;

    glissade_playout_create(link: Pointer, bytes: number, fixedDelayMs: number): Pointer;
    glissade_playout_destroy(playout: Pointer): void;
    glissade_playout_present(playout: Pointer, cpuMs: number, stampMs: number): number;
    glissade_playout_poses(playout: Pointer): Pointer;
    glissade_playout_matrices(playout: Pointer): Pointer;
    glissade_playout_report(playout: Pointer, out: Pointer): void;

    glissade_fixed_step_create(rateHz: number, maxTicks: number): Pointer;
    glissade_fixed_step_destroy(clock: Pointer): void;
    glissade_fixed_step_advance(clock: Pointer, presentMs: number): number;
    glissade_fixed_step_steps(clock: Pointer): Pointer;
    glissade_fixed_step_sample(clock: Pointer, out: Pointer): void;
    glissade_fixed_step_set_time_scale(clock: Pointer, scale: number): number;
    glissade_fixed_step_set_paused(clock: Pointer, paused: number): void;

    glissade_pacer_create(rateHz: number, maxTicks: number, startMs: number): Pointer;
    glissade_pacer_destroy(pacer: Pointer): void;
    glissade_pacer_wake(pacer: Pointer, nowMs: number): number;
    glissade_pacer_steps(pacer: Pointer): Pointer;
    glissade_pacer_next_due(pacer: Pointer): number;
    glissade_pacer_epoch(pacer: Pointer): number;
    glissade_pacer_set_time_scale(pacer: Pointer, scale: number): number;
    glissade_pacer_set_paused(pacer: Pointer, paused: number): void;

    glissade_camera_create(distance: number, height: number, damping: number): Pointer;
    glissade_camera_destroy(camera: Pointer): void;
    glissade_camera_update(camera: Pointer, position: Pointer, yawRad: number, cuts: number, elapsedMs: number, out: Pointer): void;

    glissade_method_count(): number;
    glissade_method_name(number: number): Pointer;
    glissade_method_line(number: number): Pointer;
    glissade_method_is_ours(number: number): number;
    glissade_method_create(name: Pointer, tickMs: number, maxObjects: number): Pointer;
    glissade_method_destroy(method: Pointer): void;
    glissade_method_tick(method: Pointer, tick: Pointer): void;
    glissade_method_frame(method: Pointer, frame: number, cpuMs: number, presentMs: number): number;
    glissade_method_poses(method: Pointer): Pointer;
    glissade_method_sample(method: Pointer): number;
    glissade_method_delay(method: Pointer): number;

    glissade_recording_create(name: Pointer, tickMs: number, seconds: number, sides: number): Pointer;
    glissade_recording_destroy(recording: Pointer): void;
    glissade_recording_watch(recording: Pointer, id: number): number;
    glissade_recording_tick(recording: Pointer, tick: Pointer): void;
    glissade_recording_frame(recording: Pointer, frame: number, cpuMs: number, presentMs: number): void;
    glissade_recording_drawn(recording: Pointer, side: number, method: Pointer): void;
    glissade_recording_clear(recording: Pointer): void;
    glissade_recording_score(recording: Pointer, side: number, id: number, seconds: number, out: Pointer): number;
    glissade_recording_trace_text(recording: Pointer, length: Pointer): Pointer;
    glissade_recording_drawn_text(recording: Pointer, side: number, length: Pointer): Pointer;

    glissade_diagnosis_create(recording: Pointer, side: number): Pointer;
    glissade_diagnosis_destroy(diagnosis: Pointer): void;
    glissade_diagnosis_healthy(diagnosis: Pointer): number;
    glissade_diagnosis_count(diagnosis: Pointer): number;
    glissade_diagnosis_name(diagnosis: Pointer, number: number): Pointer;
    glissade_diagnosis_what(diagnosis: Pointer, number: number): Pointer;
    glissade_diagnosis_evidence(diagnosis: Pointer, number: number): Pointer;
    glissade_diagnosis_cure(diagnosis: Pointer, number: number): Pointer;
    glissade_diagnosis_severity(diagnosis: Pointer, number: number): number;
    glissade_diagnosis_note_count(diagnosis: Pointer): number;
    glissade_diagnosis_note(diagnosis: Pointer, number: number): Pointer;

    glissade_trace_create(text: Pointer, length: number): Pointer;
    glissade_trace_destroy(trace: Pointer): void;
    glissade_trace_name(trace: Pointer): Pointer;
    glissade_trace_tick_ms(trace: Pointer): number;
    glissade_trace_first_ms(trace: Pointer): number;
    glissade_trace_last_ms(trace: Pointer): number;
    glissade_trace_frame_count(trace: Pointer): number;
    glissade_trace_ids(trace: Pointer, out: Pointer, room: number): number;
    glissade_trace_next(trace: Pointer, untilMs: number): number;
    glissade_trace_tick(trace: Pointer): Pointer;
    glissade_trace_frame(trace: Pointer, out: Pointer): void;
    glissade_trace_rewind(trace: Pointer): void;
}
