// SPDX-License-Identifier: MIT
// The rotations of a blend, and with them whatever needs both. Included once for each target.
#if defined(GLISSADE_STAGE_ROTATIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_ROTATIONS_INL_H
#undef GLISSADE_STAGE_ROTATIONS_INL_H
#else
#define GLISSADE_STAGE_ROTATIONS_INL_H
#endif

#include "stage/hermite-inl.h"
#include "stage/matrix_writer-inl.h"
#include "stage/positions-inl.h"
#include "stage/rotation_math-inl.h"

#include <algorithm>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

// Below this |dot|, 4e-6 rad from half a turn, rounding decides which way round is shorter.
inline constexpr float kHalfTurnDot = 2e-6F;
// Whether there is hardly a turn somewhere, or about half of one.
HWY_INLINE bool has_unusual(const Turn (&turns)[kStepVectors]) {
    const FloatTag tag;
    Floats least = turns[0].e;
    Floats most = turns[0].e;
    for (std::size_t i = 1; i < kStepVectors; ++i) {
        least = hn::Min(least, turns[i].e);
        most = hn::Max(most, turns[i].e);
    }
    return !hn::AllFalse(tag, hn::Or(hn::Lt(least, hn::Set(tag, kUsualDot)),
                                     hn::Gt(most, hn::Set(tag, 1.0F - kUsualDot))));
}

// Rows of a vector of floats of which the position does not change.
HWY_INLINE std::uint64_t find_still_positions(const PoseSource& from, const PoseSource& to,
                                              std::size_t first) {
    std::uint64_t still = 0;
    for (std::size_t row = 0; row < kFloatLanes; row += kDoubleLanes) {
        DoubleMask equal[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            equal[axis] = is_equal(load_doubles(from.position[axis] + first + row),
                                   load_doubles(to.position[axis] + first + row));
        }
        still |= double_word(both(equal[0], both(equal[1], equal[2]))) << row;
    }
    return still;
}

HWY_INLINE std::uint64_t find_equal(const float* a, const float* b) {
    const FloatTag tag;
    return to_word(tag, hn::Eq(hn::Load(tag, a), hn::Load(tag, b)));
}

// Rows of which nothing changes, given those whose rotation does not.
HWY_INLINE std::uint64_t find_still(const BlendBatch& batch, bool is_scaled, std::size_t row,
                                    std::uint64_t unturned) {
    if (unturned == 0) {
        return 0;
    }
    std::uint64_t still = unturned & find_still_positions(batch.from, batch.to, row);
    for (std::size_t axis = 0; axis < 3 && is_scaled; ++axis) {
        still &= find_equal(batch.from.scale[axis] + row, batch.to.scale[axis] + row);
    }
    return still;
}

// Rows of which some hardly turn, or by about half a turn. The weights of a rotation to itself add
// up to 1 within rounding only, and a body that does not turn must not tremble: its rotation is
// kept, whichever sign the newer one came with.
HWY_INLINE Rotations blend_carefully(const BlendBatch& batch, const SlerpVectors& weights,
                                     const Turn& turn, bool is_scaled, std::size_t row) {
    const FloatTag tag;
    const Rotations a = load_rotations(batch.from, row);
    const Rotations b = load_rotations(batch.to, row);
    const Rotations minus_b{hn::Neg(b.x), hn::Neg(b.y), hn::Neg(b.z), hn::Neg(b.w)};
    const Floats cosine = hn::Set(tag, 1.0F) - turn.e;
    const FloatMask equal = are_equal(a, b);
    const FloatMask half_turn = hn::Lt(cosine, hn::Set(tag, kHalfTurnDot));
    const std::uint64_t word =
        find_still(batch, is_scaled, row, to_word(tag, equal)) | to_word(tag, half_turn);
    batch.look[row / kBlockRows] |= word << row % kBlockRows;
    if (hn::AllTrue(tag, equal)) {
        return a;
    }
    const Rotations blended =
        mix(a, b, evaluate(weights.from, turn), hn::Xor(evaluate(weights.to, turn), turn.sign));
    return choose(hn::Or(equal, are_equal(a, minus_b)), a, blended);
}

// Whole lines of each part in turn.
template <bool Stream>
HWY_INLINE void store_rotations(const Rotations (&q)[kStepVectors], const PoseTarget& out,
                                std::size_t row) {
    const auto store = [row](float* column, const Rotations(&all)[kStepVectors],
                             Floats Rotations::*part) HWY_ATTR {
        for (std::size_t i = 0; i < kStepVectors; ++i) {
            store_part<Stream>(all[i].*part, FloatTag(), column + row + i * kFloatLanes);
        }
    };
    store(out.rotation[0], q, &Rotations::x);
    store(out.rotation[1], q, &Rotations::y);
    store(out.rotation[2], q, &Rotations::z);
    store(out.rotation[3], q, &Rotations::w);
}

/// Rotations that nothing bends.
struct NoCurve {
    static constexpr bool kFillsRegisters = false;
    using Plan = Rotations;

    HWY_INLINE void fetch(std::size_t /*row*/, std::size_t /*row_count*/) const {} // Only slower.
    HWY_INLINE Plan plan(std::size_t /*row*/, const Turn& /*turn*/, const Rotations& q) const {
        return q;
    }
    static HWY_INLINE Rotations finish(const Plan& plan) { return plan; }
};

HWY_INLINE RotationCurve make_rotation_curve(const BlendBatch& batch) {
    const FloatTag tag;
    const double t = batch.t;
    const double span_s = std::min(batch.duration_s, kMaxSeconds);
    const double limit_rad_s = kMaxDeviationRad / span_s;
    // A step is twice the angle that kAnglePerSine is about.
    std::array<float, 9> step_per_sine{};
    for (std::size_t k = 0; k < step_per_sine.size(); ++k) {
        step_per_sine[k] = static_cast<float>(4.0 / span_s * kAnglePerSine[k]);
    }
    return {batch.from,
            batch.to,
            batch.from_velocity,
            batch.to_velocity,
            batch.spin,
            batch.look,
            fill_weights(step_per_sine),
            hn::Set(tag, static_cast<float>(limit_rad_s * limit_rad_s)),
            hn::Set(tag, static_cast<float>(1.0 - 2.0 * t)),
            hn::Set(tag, static_cast<float>(0.25 * span_s * t * (1.0 - t)))};
}

/// What is blended.
struct States {
    PoseSource from;
    PoseSource to;
};

HWY_INLINE void compute_turns(const States& states, std::size_t row, Turn (&turns)[kStepVectors]) {
    for (std::size_t i = 0; i < kStepVectors; ++i) {
        const std::size_t at = row + i * kFloatLanes;
        turns[i] = compute_turn(load_rotations(states.from, at), load_rotations(states.to, at));
    }
}

// One of every kind, with care.
template <bool Stream, class LineBlend, class Writer>
HWY_INLINE void blend_unusual_step(const BlendBatch& batch, const SlerpVectors& weights,
                                   const Kind& kind, const LineBlend& lines, const Writer& writer,
                                   std::size_t row) {
    Rotations q[kStepVectors];
    for (std::size_t i = 0; i < kStepVectors; ++i) {
        const std::size_t at = row + i * kFloatLanes;
        const Turn turn =
            compute_turn(load_rotations(batch.from, at), load_rotations(batch.to, at));
        q[i] = blend_carefully(batch, weights, turn, kind.is_scaled, at);
        if (kind.has_spin) {
            q[i] = RotationCurve::finish(make_rotation_curve(batch).plan(at, turn, q[i]));
        }
        writer.write(at, q[i], lines.blend(at));
    }
    if constexpr (LineBlend::kHasPicture) {
        store_rotations<Stream>(q, batch.out, row);
    }
}

// From an unusual step on, as far as they are. Apart from the loops of the kinds, so that those
// have nothing to keep for it. Returns the row of the first usual step.
template <bool Stream, class LineBlend, class Writer>
HWY_NOINLINE std::size_t blend_unusual(const BlendBatch& batch, const SlerpVectors& weights,
                                       const Stretch& stretch, const LineBlend& lines,
                                       const Writer& writer, std::size_t row) {
    Turn turns[kStepVectors];
    do {
        blend_unusual_step<Stream>(batch, weights, stretch.kind, lines, writer, row);
        row += kStepRows;
        if (row < stretch.end) {
            compute_turns({batch.from, batch.to}, row, turns);
        }
    } while (row < stretch.end && has_unusual(turns));
    return row;
}

template <class Curve>
HWY_INLINE void plan_step(const States& states, const SlerpVectors& weights, const Curve& curve,
                          const Turn (&turns)[kStepVectors], std::size_t row,
                          typename Curve::Plan (&plans)[kStepVectors]) {
    const auto pairs = evaluate(weights, turns);
    if constexpr (kHasManyRegisters) {
        // The states are loaded once more below: with all weights in registers there is no room
        // for them, and GCC would make some on the stack.
        HWY_FENCE;
    }
    for (std::size_t i = 0; i < kStepVectors; ++i) {
        const std::size_t at = row + i * kFloatLanes;
        plans[i] = curve.plan(at, turns[i],
                              mix(load_rotations(states.from, at), load_rotations(states.to, at),
                                  pairs.from[i], hn::Xor(pairs.to[i], turns[i].sign)));
    }
}

// Rotations as they were planned, and what is made of them.
template <bool Stream, class Curve, class LineBlend, class Writer>
HWY_INLINE void draw_step(const typename Curve::Plan (&plans)[kStepVectors], const PoseTarget& out,
                          const LineBlend& lines, const Writer& writer, std::size_t row) {
    Rotations q[kStepVectors];
    for (std::size_t i = 0; i < kStepVectors; ++i) {
        q[i] = Curve::finish(plans[i]);
    }
    if constexpr (LineBlend::kHasPicture) {
        store_rotations<Stream>(q, out, row);
    }
    for (std::size_t i = 0; i < kStepVectors; ++i) {
        const std::size_t at = row + i * kFloatLanes;
        writer.write(at, q[i], lines.blend(at));
    }
}

template <bool Stream, class LineBlend, class Curve, class Writer>
HWY_NOINLINE void blend_rotations(const BlendBatch& batch, const SlerpVectors& all_weights,
                                  const Stretch& stretch, const LineBlend& all_lines,
                                  const Curve& all_curves, const Writer& all_matrices) {
    const States states{batch.from, batch.to};
    const PoseTarget out = batch.out;
    // Copies stay in registers. A curve needs those itself: with them taken, GCC puts every state
    // and velocity on the stack before it is used.
    constexpr bool kCopies = !Curve::kFillsRegisters;
    const std::conditional_t<kCopies, SlerpVectors, const SlerpVectors&> weights = all_weights;
    const LineBlend lines = all_lines;
    const std::conditional_t<kCopies, Curve, const Curve&> curve = all_curves;
    const Writer writer = all_matrices;
    const std::size_t end = stretch.end;
    // Ordinary stores: the products of the next step come before the weights of this one, so that
    // the long chains of two steps overlap in the few operations a processor looks ahead. What is
    // streamed waits for memory, and takes longer that way.
    constexpr bool kLooksAhead = kHasManyRegisters && !Stream;
    Turn turns[kStepVectors];
    Turn next[kStepVectors];
    // What finish() does is the last third of a curve's chain. It is done one step late, beside
    // the weights of the next step, which do not wait for it.
    constexpr bool kIsLate = kHasManyRegisters && Curve::kFillsRegisters;
    typename Curve::Plan waiting[kStepVectors];
    bool is_waiting = false;
    const auto draw_waiting = [&](std::size_t row) HWY_ATTR {
        if (kIsLate && is_waiting) {
            draw_step<Stream, Curve>(waiting, out, lines, writer, row - kStepRows);
            is_waiting = false;
        }
    };
    compute_turns(states, stretch.first, next); // Dead code where nothing looks ahead.
    const bool fetches_ahead = Stream && batch.tuning.fetches_ahead;
    for (std::size_t row = stretch.first; row < end;) {
        if (fetches_ahead) {
            curve.fetch(std::min(row + kRowsAhead, end - kStepRows), kStepRows);
        }
        if constexpr (!kLooksAhead) {
            compute_turns(states, row, next);
        }
        std::copy_n(next, kStepVectors, turns);
        if (HWY_UNLIKELY(has_unusual(turns))) {
            draw_waiting(row);
            row = blend_unusual<Stream>(batch, all_weights, stretch, all_lines, all_matrices, row);
            compute_turns(states, std::min(row, end - kStepRows), next);
            continue;
        }
        if constexpr (kLooksAhead) {
            compute_turns(states, std::min(row + kStepRows, end - kStepRows), next);
        }
        typename Curve::Plan plans[kStepVectors];
        plan_step(states, weights, curve, turns, row, plans);
        if constexpr (kIsLate) {
            draw_waiting(row);
            std::copy_n(plans, kStepVectors, waiting);
            is_waiting = true;
        } else {
            draw_step<Stream, Curve>(plans, out, lines, writer, row);
        }
        row += kStepRows;
    }
    draw_waiting(end);
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
