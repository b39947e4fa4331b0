// SPDX-License-Identifier: MIT
// glissade replay: what a method draws of a trace, line by line, in constant memory.
#include "glissade/feed/remote_world.h"
#include "glissade/stage/stage_types.h"
#include "glissade/trace/trace_writer.h"

#include "app/commands.h"
#include "app/console.h"
#include "app/files.h"
#include "lab/method.h"

#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace glissade::app {

namespace {

struct ReplayOptions {
    std::string trace{};
    std::string method = "playout";
    std::optional<double> delay_ms{};
    std::string out{};
    std::uint32_t max_objects = lab::MethodConfig{}.max_objects;
};

// Feeds the lines of a trace to the method, and what it draws to the output.
class Replayer {
public:
    Replayer(const ReplayOptions& options, const lab::MethodInfo& method, OutputFile& out)
        : options_(options), method_(method), out_(out) {
        if (options.delay_ms) {
            constexpr double kNsPerMs = 1e6;
            config_.delay_ns = std::llround(*options.delay_ms * kNsPerMs);
        }
        config_.max_objects = options.max_objects;
    }

    void push(std::string_view text) {
        reader_.push(text);
        read_lines();
    }

    void finish() {
        reader_.finish();
        read_lines();
        out_.write(text_);
        const std::string problem = drawing_ ? drawing_->problem() : std::string{};
        if (!problem.empty()) {
            const bool full = problem.ends_with(to_string(StageStatus::Full)) ||
                              problem.ends_with(to_string(RemoteAdd::Full));
            throw Failure(kExitFailed, fmt::format("{}: {}", options_.trace, problem),
                          full ? "Give the stage more room with --max-objects."
                               : "Numbers have limits: glissade/pose/pose.h, for packets "
                                 "glissade/remote/remote_packets.h.");
        }
    }

private:
    void read_lines() {
        TraceRead read = reader_.next(line_);
        for (; read == TraceRead::Line; read = reader_.next(line_)) {
            take_line();
        }
        if (read == TraceRead::Error) {
            throw_bad_line(options_.trace, reader_.error());
        }
    }

    void take_line() {
        switch (line_.kind) {
            case TraceLineKind::Header:
                drawing_ = method_.make(line_.header, config_);
                break;
            case TraceLineKind::Tick:
                drawing_->tick(line_.tick);
                break;
            case TraceLineKind::Frame:
                draw();
                break;
            case TraceLineKind::Packet:
                drawing_->packet(line_.packet);
                break;
            case TraceLineKind::Truth:
                break; // For judges only.
        }
    }

    void draw() {
        drawing_->frame(line_.frame, drawn_);
        if (append_line(text_, drawn_) != TraceWrite::Ok) {
            throw Failure(kExitFailed,
                          fmt::format("{}: frame {}: {} drew a number that is not finite",
                                      options_.trace, line_.frame.frame, method_.name),
                          "The trace has positions or velocities beyond what a double can hold.");
        }
        constexpr std::size_t kFlushBytes = std::size_t{1} << 16U;
        if (text_.size() >= kFlushBytes) {
            out_.write(text_);
            text_.clear();
        }
    }

    const ReplayOptions& options_;
    const lab::MethodInfo& method_;
    OutputFile& out_;
    lab::MethodConfig config_{};
    TraceReader reader_{};
    TraceLine line_{};
    std::unique_ptr<lab::Method> drawing_{};
    DrawnFrame drawn_{};
    std::string text_{};
};

void run_replay(const ReplayOptions& options) {
    const lab::MethodInfo* method = lab::find_method(options.method);
    if (method == nullptr) {
        throw Failure(kExitUsage, fmt::format("there is no method '{}'", options.method),
                      "`glissade methods` lists them.");
    }
    OutputFile out(options.out);
    Replayer replayer(options, *method, out);
    ProgressLine progress("replaying");
    const std::uint64_t size = file_size(options.trace);
    std::uint64_t done = 0;
    read_pieces(options.trace, [&](std::string_view text) {
        if (!options.out.empty()) {
            progress.show(done, size);
        }
        replayer.push(text);
        done += text.size();
    });
    replayer.finish();
    out.commit();
}

} // namespace

void add_replay(CLI::App& program) {
    auto options = std::make_shared<ReplayOptions>();
    CLI::App* command = program.add_subcommand(
        "replay", "What a method draws of a trace, knowing only what had arrived by each frame.");
    command->add_option("TRACE", options->trace, "A trace, or - for the standard input.")
        ->required();
    command->add_option("--method", options->method, "How to draw; see `glissade methods`.")
        ->capture_default_str();
    command
        ->add_option(
            "--delay-ms", options->delay_ms,
            "playout: draw this far behind the source; else as far as the lateness asks for.")
        ->check(CLI::Range(0.0, 10000.0))
        ->check(refuse_nan);
    command->add_option("--out", options->out, "Write here; the standard output if not given.");
    command->add_option("--max-objects", options->max_objects, "Room of the stage.")
        ->capture_default_str()
        ->check(CLI::Range(1U, (1U << 24U) - 2U));
    command->callback([options] { run_replay(*options); });
}

} // namespace glissade::app
