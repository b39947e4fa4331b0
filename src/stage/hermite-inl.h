// SPDX-License-Identifier: MIT
// What velocities add to a blend. Included once for each target.
#if defined(GLISSADE_STAGE_HERMITE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_HERMITE_INL_H
#undef GLISSADE_STAGE_HERMITE_INL_H
#else
#define GLISSADE_STAGE_HERMITE_INL_H
#endif

#include "stage/kernel_math-inl.h"
#include "stage/rotation_math-inl.h"
#include "stage/triples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

// Of what the curve of a rotation is made, |u0 + u1| and |u1 - u0| in radians, at most this much;
// faster rows are left to scalar code. The whole turns of unwrap() begin where |u0 + u1| / 2 is pi.
// The bound also keeps half of the curve, at most a 16th of it, below 0.32 rad; kSine and kCosine
// hold for twice that.
constexpr float kMaxDeviationRad = 5.0F;

// a / sin(a) as a polynomial in e = 1 - cos(a), at the nine Chebyshev nodes of e in [0, 1]; off by
// 8e-8 of the value.
constexpr std::array<float, 9> kAnglePerSine{1.00000006295F,   0.333323165232F,   0.133600393759F,
                                             0.0544793815367F, 0.0384734790303F,  -0.0236417310667F,
                                             0.0587827332307F, -0.0414066487653F, 0.0171853691794F};

// sin(c) / c and cos(c) as polynomials in c * c, at the four Chebyshev nodes of c * c in [0, 0.4];
// off by less than 1e-8.
constexpr std::array<float, 4> kSine{0.99999999945F, -0.16666662289F, 0.00833278578237F,
                                     -0.000196219102464F};
constexpr std::array<float, 4> kCosine{0.99999999508F, -0.4999996066325F, 0.0416617458747F,
                                       -0.00136916843808F};

// As glm::dot() rounds it.
HWY_INLINE Doubles compute_square(const Triples<Doubles>& a) {
    return (a.x * a.x + a.y * a.y) + a.z * a.z;
}

HWY_INLINE Floats compute_square(const Triples<Floats>& a) {
    return hn::MulAdd(a.x, a.x, hn::MulAdd(a.y, a.y, a.z * a.z));
}

/// factor * a - b.
HWY_INLINE Triples<Floats> scale_minus(Floats factor, const Triples<Floats>& a,
                                       const Triples<Floats>& b) {
    return {hn::MulSub(factor, a.x, b.x), hn::MulSub(factor, a.y, b.y),
            hn::MulSub(factor, a.z, b.z)};
}

/// a - factor * b.
HWY_INLINE Triples<Floats> subtract_scaled(const Triples<Floats>& a, Floats factor,
                                           const Triples<Floats>& b) {
    return {hn::NegMulAdd(factor, b.x, a.x), hn::NegMulAdd(factor, b.y, a.y),
            hn::NegMulAdd(factor, b.z, a.z)};
}

HWY_INLINE Triples<Doubles> load_doubles(const std::array<const double*, 3>& columns,
                                         std::size_t row) {
    return {load_doubles(columns[0] + row), load_doubles(columns[1] + row),
            load_doubles(columns[2] + row)};
}

HWY_INLINE Triples<Doubles> load_promoted(const std::array<const float*, 3>& columns,
                                          std::size_t row) {
    return {load_promoted(columns[0] + row), load_promoted(columns[1] + row),
            load_promoted(columns[2] + row)};
}

HWY_INLINE Triples<Floats> load_floats(const std::array<const float*, 3>& columns,
                                       std::size_t row) {
    const FloatTag tag;
    return {hn::Load(tag, columns[0] + row), hn::Load(tag, columns[1] + row),
            hn::Load(tag, columns[2] + row)};
}

/// So far ahead a curve asks for what it reads. Velocities of positions gain nothing from being
/// asked for 128 rows ahead; for rotations it matters little.
constexpr std::size_t kRowsAhead = 64;

template <std::size_t Count>
HWY_INLINE void fetch_rows(const std::array<const float*, Count>& columns, std::size_t row,
                           std::size_t row_count) {
    constexpr std::size_t kLineRows = 64 / sizeof(float);
    for (const float* column : columns) {
        for (std::size_t i = 0; i < row_count; i += kLineRows) {
            hwy::Prefetch(column + row + i);
        }
    }
}

HWY_INLINE Doubles clamp_position(Doubles position) {
    return min_doubles(max_doubles(position, fill_doubles(-kMaxPosition)),
                       fill_doubles(kMaxPosition));
}

/// The positions of rows that follow velocities, to the last bit as blend_hermite() has them: line
/// plus curve, of the sum and the difference of the velocities.
/// By value in the loops: GCC reads what it has by reference again after every store of a vector.
struct PositionCurve {
    PoseSource from;
    PoseSource to;
    VelocitySource from_velocity;
    VelocitySource to_velocity;
    const std::uint64_t* hermite; // The other rows move on a line.
    Doubles t;
    Doubles rate; // 2 / duration.
    Doubles lean; // 1 - 2t.
    Doubles half; // Of the curve: its first factors.

    /// Positions arrive in time without.
    HWY_INLINE void fetch(std::size_t row, std::size_t row_count) const {
        fetch_rows(from_velocity.linear, row, row_count);
        fetch_rows(to_velocity.linear, row, row_count);
    }

    HWY_INLINE Triples<Doubles> blend(std::size_t row) const {
        const Doubles one = fill_doubles(1.0);
        const Triples<Doubles> a = load_doubles(from.position, row);
        const Triples<Doubles> step = load_doubles(to.position, row) - a;
        const Triples<Doubles> v0 = load_promoted(from_velocity.linear, row);
        const Triples<Doubles> v1 = load_promoted(to_velocity.linear, row);
        const Triples<Doubles> sum = v0 + v1 - scale_by(rate, step);
        const Triples<Doubles> difference = v1 - v0;
        const Doubles sum2 = compute_square(sum);
        const Doubles difference2 = compute_square(difference);
        // Where it is not less there is no curve, nor perhaps a quotient: what comes of it is left.
        const DoubleMask is_curved = is_less(sum2, difference2);
        const Doubles factor =
            select(is_curved, (one - sum2 / difference2) * half, fill_doubles(0.0));
        const Triples<Doubles> curve = scale_by(factor, scale_by(lean, sum) - difference);
        const Triples<Doubles> line = a + scale_by(t, step);
        const Triples<Doubles> drawn = line + curve;
        const Triples<Doubles> clamped{clamp_position(drawn.x), clamp_position(drawn.y),
                                       clamp_position(drawn.z)};
        const std::uint64_t word = hermite[row / kBlockRows];
        if (HWY_LIKELY(word == ~std::uint64_t{0})) {
            return clamped;
        }
        const DoubleMask is_hermite = double_mask(word >> row % kBlockRows);
        return {select(is_hermite, clamped.x, line.x), select(is_hermite, clamped.y, line.y),
                select(is_hermite, clamped.z, line.z)};
    }
};

// The vector part of `b` times the conjugate of `a`.
HWY_INLINE Triples<Floats> compute_sines(const Rotations& a, const Rotations& b) {
    return {hn::MulSub(a.w, b.x, b.w * a.x) + hn::MulSub(a.y, b.z, a.z * b.y),
            hn::MulSub(a.w, b.y, b.w * a.y) + hn::MulSub(a.z, b.x, a.x * b.z),
            hn::MulSub(a.w, b.z, b.w * a.z) + hn::MulSub(a.x, b.y, a.y * b.x)};
}

// Horner's scheme.
HWY_INLINE Floats evaluate(const std::array<float, 4>& terms, Floats x) {
    const FloatTag tag;
    Floats sum = hn::MulAdd(hn::Set(tag, terms[3]), x, hn::Set(tag, terms[2]));
    sum = hn::MulAdd(sum, x, hn::Set(tag, terms[1]));
    return hn::MulAdd(sum, x, hn::Set(tag, terms[0]));
}

// exp(c) * q for half rotation vectors c.
HWY_INLINE Rotations turn_further(const Triples<Floats>& c, const Rotations& q) {
    const Floats x = compute_square(c);
    const Triples<Floats> v = scale_by(evaluate(kSine, x), c);
    return multiply({v.x, v.y, v.z, evaluate(kCosine, x)}, q);
}

/// Turns rotations that slerp has blended by their curve: so the end velocities are met without
/// derivatives, and a constant spin is slerp.
///
/// In sums and differences, s = u0 + u1 and d = u1 - u0, the curve of blend_hermite() is
///     t (1-t) / 2 (1 - |s|^2 / |d|^2) ((1-2t) s - d),
/// and only s needs the step. Here both are divided by the duration, so that d is as it comes.
struct RotationCurve {
    static constexpr bool kFillsRegisters = true;

    PoseSource from;
    PoseSource to;
    VelocitySource from_velocity;
    VelocitySource to_velocity;
    const std::uint64_t* spin;   // The other rows stay as they are.
    std::uint64_t* look;         // Out: rows that turn too fast for this.
    WeightVectors step_per_sine; // Twice the step through the duration.
    Floats limit2;               // Of s and d.
    Floats lean;                 // 1 - 2t.
    Floats half;                 // Of the curve: its first factors.

    /// Half of a rotation vector, 0 where there is no curve, and the slerp that it turns.
    struct Plan {
        Triples<Floats> c;
        Rotations q;
    };

    HWY_INLINE void fetch(std::size_t row, std::size_t row_count) const {
        fetch_rows(from.rotation, row, row_count);
        fetch_rows(to.rotation, row, row_count);
        fetch_rows(from_velocity.angular, row, row_count);
        fetch_rows(to_velocity.angular, row, row_count);
    }

    HWY_INLINE Plan plan(std::size_t row, const Turn& turn, const Rotations& q) const {
        const FloatTag tag;
        const Triples<Floats> sine =
            compute_sines(load_rotations(from, row), load_rotations(to, row));
        const Floats steps = hn::Xor(evaluate(step_per_sine, turn), turn.sign);
        const Triples<Floats> v0 = load_floats(from_velocity.angular, row);
        const Triples<Floats> v1 = load_floats(to_velocity.angular, row);
        const Triples<Floats> sum = subtract_scaled(v0 + v1, steps, sine);
        const Triples<Floats> difference = v1 - v0;
        const Floats sum2 = compute_square(sum);
        const Floats difference2 = compute_square(difference);
        const FloatMask is_slow = hn::And(hn::Le(sum2, limit2), hn::Le(difference2, limit2));
        const FloatMask is_curved = hn::And(is_slow, hn::Lt(sum2, difference2));
        const Floats factor = hn::NegMulAdd(half, sum2 / difference2, half);
        const Triples<Floats> c = scale_by(factor, scale_minus(lean, sum, difference));
        const std::uint64_t word = spin[row / kBlockRows];
        if (HWY_LIKELY(word == ~std::uint64_t{0} && hn::AllTrue(tag, is_curved))) {
            return {c, q};
        }
        const std::uint64_t rows = word >> row % kBlockRows;
        look[row / kBlockRows] |= (rows & to_word(tag, hn::Not(is_slow))) << row % kBlockRows;
        const FloatMask is_bent = hn::And(from_word(tag, rows), is_curved);
        return {{hn::IfThenElseZero(is_bent, c.x), hn::IfThenElseZero(is_bent, c.y),
                 hn::IfThenElseZero(is_bent, c.z)},
                q};
    }

    // What is turned by 0 stays as it is, but for the sign of a zero.
    static HWY_INLINE Rotations finish(const Plan& plan) { return turn_further(plan.c, plan.q); }
};

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
