// SPDX-License-Identifier: MIT
#include "lab/score.h"

#include "lab/pops.h"
#include "lab/truth_error.h"

#include <algorithm>
#include <cmath>

namespace glissade::lab {

namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kNsPerSecond = 1e9;
// How far the shown time may be from that of the frame before,
constexpr std::int64_t kWindowNs = 250'000'000;
// or, after a frame that stayed away for long (a hidden tab), twice that time.
constexpr std::int64_t kLongFrames = 2;
// Slower than this part of its median speed, an object tells too little about the time shown.
constexpr double kSlowPart = 0.05;

// Follows one object through the frames.
struct Follower {
    JudgedObject object{};
    std::optional<std::size_t> last_found{}; ///< Index into object.frames.
    bool last_slow = true;
};

// The time scale that the source declared, by source time.
class ScaleTimeline {
public:
    explicit ScaleTimeline(const Trace& trace) {
        for (const TraceTick& tick : trace.ticks) {
            const double scale = tick.paused ? 0.0 : tick.scale.value_or(1.0);
            if (changes_.empty() || changes_.back().second != scale) {
                changes_.emplace_back(tick.sim_ns, scale);
            }
        }
    }

    /// A picture behind a delay may follow a change when the source makes it or when it shows it:
    /// of the scales declared between the two, the one nearest to `rate`.
    [[nodiscard]] double nearest(std::int64_t shown_ns, std::int64_t newest_ns, double rate) const {
        std::optional<double> best;
        for (std::size_t i = 0; i < changes_.size(); ++i) {
            const bool over = i + 1 < changes_.size() && changes_[i + 1].first < shown_ns;
            const bool ahead = i > 0 && changes_[i].first > newest_ns;
            const double scale = changes_[i].second;
            if (!over && !ahead && (!best || std::abs(scale - rate) < std::abs(*best - rate))) {
                best = scale;
            }
        }
        return best.value_or(1.0);
    }

private:
    std::vector<std::pair<std::int64_t, double>> changes_{}; // Few: it is looked through each time.
};

// The first frame has none before it: it is looked for around the time that it says it shows, if it
// says so, because a wheel is in the same place many times within the window.
std::int64_t search_centre(const Follower& follower, const NewestKnown& newest,
                           const std::optional<std::int64_t>& sample_ns) {
    if (follower.last_found) {
        return follower.object.frames[*follower.last_found].shown.shown_ns;
    }
    const std::int64_t start = sample_ns.value_or(newest.sim_ns);
    return std::clamp(start, newest.sim_ns - kWindowNs, newest.sim_ns + kWindowNs);
}

std::int64_t expected_time(const Follower& follower, std::int64_t present_ns,
                           std::int64_t centre_ns) {
    if (!follower.last_found) {
        return centre_ns;
    }
    return centre_ns + present_ns - follower.object.frames[*follower.last_found].shown.present_ns;
}

// Whether a step may be judged: the object is under way at both ends, with nothing broken between.
bool is_scored(const Follower& follower, const JudgedFrame& frame, bool slow) {
    if (slow || follower.last_slow || frame.streak || !follower.last_found) {
        return false;
    }
    const JudgedFrame& last = follower.object.frames[*follower.last_found];
    const bool successive = *follower.last_found + 1 == follower.object.frames.size();
    return successive &&
           !follower.object.path->is_broken(std::min(last.shown.shown_ns, frame.shown.shown_ns),
                                            std::max(last.shown.shown_ns, frame.shown.shown_ns));
}

void judge_pose(Follower& follower, JudgedFrame frame, const NewestKnown& newest,
                const ScaleTimeline& scales, bool warming_up) {
    const MotionPath& path = *follower.object.path;
    const std::int64_t centre = search_centre(follower, newest, frame.sample_ns);
    const std::int64_t expected = expected_time(follower, frame.shown.present_ns, centre);
    const glm::dvec3 step =
        follower.last_found
            ? frame.drawn.position - follower.object.frames[*follower.last_found].drawn.position
            : glm::dvec3{0.0};
    const auto nearest = path.find_nearest(
        {.position = frame.drawn.position,
         .rotation = frame.drawn.rotation.value_or(glm::dquat{1.0, 0.0, 0.0, 0.0}),
         .centre_ns = centre,
         .window_ns = std::max(kWindowNs, kLongFrames * (expected - centre)),
         .expected_ns = expected,
         .step = step});
    bool slow = true;
    if (nearest) {
        frame.found = true;
        frame.streak = nearest->streak;
        frame.off_path = nearest->distance;
        frame.shown.shown_ns = nearest->time_ns;
        const auto elapsed = static_cast<double>(expected - centre);
        const double rate =
            elapsed > 0.0 ? static_cast<double>(nearest->time_ns - centre) / elapsed : 1.0;
        frame.shown.scale = scales.nearest(nearest->time_ns, newest.sim_ns, rate);
        slow = nearest->speed <= kSlowPart * path.median_speed() || frame.shown.scale <= 0.0;
    }
    frame.moving = !slow;
    frame.shown.scored = frame.found && !warming_up && is_scored(follower, frame, slow);
    follower.object.frames.push_back(frame);
    // The nearest point of a streak says nothing about the time.
    if (frame.found && !frame.streak) {
        follower.last_found = follower.object.frames.size() - 1;
        follower.last_slow = slow;
    }
}

std::optional<double> mean(const std::vector<double>& values) {
    if (values.empty()) {
        return std::nullopt;
    }
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

void score_lag(const Scorer& scorer, const JudgedObject& object, ObjectScore& result) {
    std::vector<double> lags;
    for (const JudgedFrame& frame : object.frames) {
        if (frame.shown.scored) {
            const NewestKnown& newest = scorer.newest_known()[frame.frame];
            const std::int64_t carried_ns =
                scorer.trace().frames[frame.frame].cpu_ns - newest.arrive_ns;
            lags.push_back((static_cast<double>(newest.sim_ns - frame.shown.shown_ns) +
                            static_cast<double>(carried_ns) * result.rate->mean_rate) /
                           kNsPerMs);
        }
    }
    result.lag_ms_mean = mean(lags);
    if (!lags.empty()) {
        result.lag_ms_p10 = compute_quantile(lags, 0.1);
        result.lag_ms_p99 = compute_quantile(std::move(lags), 0.99);
    }
}

void score_frames(const Scorer& scorer, const JudgedObject& object, ObjectScore& result) {
    std::size_t underruns = 0;
    bool has_sample = false;
    for (const JudgedFrame& frame : object.frames) {
        if (scorer.trace().frames[frame.frame].cpu_ns < scorer.start_ns()) {
            continue;
        }
        ++result.frame_count;
        result.streak_count += frame.streak ? 1U : 0U;
        if (frame.found && !frame.streak) {
            result.off_path_m_max = std::max(result.off_path_m_max, frame.off_path);
        }
        if (frame.sample_ns) {
            has_sample = true;
            underruns += *frame.sample_ns > scorer.newest_known()[frame.frame].sim_ns ? 1U : 0U;
        }
    }
    if (has_sample) {
        result.underrun_count = underruns;
    }
}

ObjectScore score_object(const Scorer& scorer, const JudgedObject& object) {
    ObjectScore result{.id = object.id};
    score_frames(scorer, object, result);
    score_pops(scorer, object, result);
    const RateMetrics rate = compute_rate_metrics(collect_shown(object));
    if (rate.scored_count > 0) {
        result.rate = rate;
        // A picture that runs back on the whole has no lag.
        if (rate.mean_rate > 0.0) {
            score_lag(scorer, object, result);
            score_against_truth(scorer.trace(), object, result);
        }
    }
    return result;
}

std::int64_t warmup_end(const Trace& trace, const ScoreConfig& config) {
    const std::int64_t first = trace.frames.empty() ? 0 : trace.frames.front().cpu_ns;
    return first + std::llround(config.warmup_s * kNsPerSecond);
}

// The place of each drawn frame among the frames of the trace.
std::map<std::int64_t, std::size_t> index_frames(const Trace& trace) {
    std::map<std::int64_t, std::size_t> places;
    for (std::size_t i = 0; i < trace.frames.size(); ++i) {
        places.emplace(trace.frames[i].frame, i);
    }
    return places;
}

std::vector<NewestKnown> find_newest_known(const Trace& trace) {
    std::vector<NewestKnown> known;
    NewestKnown newest;
    std::int64_t epoch = 0;
    visit_lines(
        trace,
        [&](const TraceTick& tick) {
            const std::int64_t last_epoch = epoch;
            epoch = tick.epoch.value_or(epoch);
            if (!newest.any || tick.sim_ns > newest.sim_ns || epoch != last_epoch) {
                newest = {tick.sim_ns, tick.arrive_ns, true};
            }
        },
        [&](const TraceFrame& /*frame*/) { known.push_back(newest); });
    return known;
}

std::optional<std::size_t> find_worst(const std::vector<ObjectScore>& objects) {
    std::optional<std::size_t> worst;
    const auto error = [&](std::size_t i) {
        return objects[i].rate ? objects[i].rate->rate_rms : -1.0;
    };
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (!worst || error(i) > error(*worst)) {
            worst = i;
        }
    }
    return worst;
}

} // namespace

std::int64_t present_of(const TraceFrame& frame) noexcept {
    return frame.present_ns.value_or(frame.cpu_ns);
}

const JudgedObject* find_object(std::span<const JudgedObject> objects, std::int64_t id) noexcept {
    const auto found = std::find_if(objects.begin(), objects.end(),
                                    [&](const JudgedObject& object) { return object.id == id; });
    return found == objects.end() ? nullptr : &*found;
}

std::vector<ShownFrame> collect_shown(const JudgedObject& object) {
    std::vector<ShownFrame> shown(object.frames.size());
    std::transform(object.frames.begin(), object.frames.end(), shown.begin(),
                   [](const JudgedFrame& frame) { return frame.shown; });
    return shown;
}

Scorer::Scorer(const Trace& trace, const ScoreConfig& config)
    : trace_(trace),
      paths_(make_paths(trace)),
      newest_(find_newest_known(trace)),
      places_(index_frames(trace)),
      start_ns_(warmup_end(trace, config)) {}

std::vector<JudgedObject> Scorer::judge(std::span<const DrawnFrame> drawn) const {
    const ScaleTimeline scales(trace_);
    std::map<std::int64_t, Follower> followers;
    for (const auto& [id, path] : paths_) {
        followers[id].object.id = id;
        followers[id].object.path = &path;
    }
    const auto judge_one = [&](const DrawnPose& pose, const DrawnFrame& frame, std::size_t place) {
        const auto found = followers.find(pose.id);
        if (found == followers.end()) {
            return;
        }
        const TraceFrame& line = trace_.frames[place];
        JudgedFrame judged{.frame = place, .drawn = pose, .sample_ns = frame.sample_ns};
        judged.shown.present_ns = present_of(line);
        judge_pose(found->second, judged, newest_[place], scales, line.cpu_ns < start_ns_);
    };
    for (const DrawnFrame& frame : drawn) {
        const auto place = places_.find(frame.frame);
        if (place == places_.end() || !newest_[place->second].any) {
            continue;
        }
        for (const DrawnPose& pose : frame.poses) {
            judge_one(pose, frame, place->second);
        }
    }
    std::vector<JudgedObject> objects;
    for (auto& [id, follower] : followers) {
        if (!follower.object.frames.empty()) {
            objects.push_back(std::move(follower.object));
        }
    }
    return objects;
}

Score Scorer::score(std::span<const DrawnFrame> drawn) const {
    Score result;
    for (const DrawnFrame& frame : drawn) {
        if (!places_.contains(frame.frame)) {
            result.problem = "frame " + std::to_string(frame.frame) +
                             " was drawn, but the trace has no such frame";
            return result;
        }
    }
    for (const JudgedObject& object : judge(drawn)) {
        result.objects.push_back(score_object(*this, object));
    }
    result.worst = find_worst(result.objects);
    return result;
}

} // namespace glissade::lab
