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

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

/// The velocities of one block.
struct BlockVelocity {
    const float* linear[3];
    const float* angular[3];
};

/// Between which states, and where.
struct HermiteBlock {
    BlockSource from;
    BlockSource to;
    BlockVelocity from_velocity;
    BlockVelocity to_velocity;
    double t;
    double duration_s;
};

// Of what the curve of a rotation is made, |u0 + u1| and |u1 - u0| in radians, at most this much;
// faster rows are left to scalar code. The whole turns of unwrap() begin where |u0 + u1| / 2 is pi.
// The bound also keeps half of the curve below 0.63 rad, where the polynomials below hold.
constexpr float kMaxDeviationRad = 5.0F;

// a / sin(a) as a polynomial in e = 1 - cos(a), at the nine Chebyshev nodes of e in [0, 1]; off by
// 8e-8 of the value.
constexpr std::array<float, 9> kAnglePerSine{1.00000006295F,   0.333323165232F,   0.133600393759F,
                                             0.0544793815367F, 0.0384734790303F,  -0.0236417310667F,
                                             0.0587827332307F, -0.0414066487653F, 0.0171853691794F};

/// Three numbers a row.
template <class Vector>
struct Triples {
    Vector x, y, z;
};

template <class Vector>
HWY_INLINE Triples<Vector> operator+(const Triples<Vector>& a, const Triples<Vector>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class Vector>
HWY_INLINE Triples<Vector> operator-(const Triples<Vector>& a, const Triples<Vector>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <class Vector>
HWY_INLINE Triples<Vector> scale_by(Vector factor, const Triples<Vector>& a) {
    return {factor * a.x, factor * a.y, factor * a.z};
}

template <class Vector>
HWY_INLINE Vector compute_square(const Triples<Vector>& a) {
    return (a.x * a.x + a.y * a.y) + a.z * a.z;
}

HWY_INLINE Triples<Doubles> load_doubles(const double* const (&columns)[3], std::size_t row) {
    return {load_doubles(columns[0] + row), load_doubles(columns[1] + row),
            load_doubles(columns[2] + row)};
}

HWY_INLINE Triples<Doubles> load_promoted(const float* const (&columns)[3], std::size_t row) {
    return {load_promoted(columns[0] + row), load_promoted(columns[1] + row),
            load_promoted(columns[2] + row)};
}

HWY_INLINE Triples<Floats> load_floats(const float* const (&columns)[3], std::size_t row) {
    const FloatTag tag;
    return {hn::Load(tag, columns[0] + row), hn::Load(tag, columns[1] + row),
            hn::Load(tag, columns[2] + row)};
}

HWY_INLINE Doubles clamp_position(Doubles position) {
    const Doubles low = fill_doubles(-kMaxPosition);
    const Doubles high = fill_doubles(kMaxPosition);
    const Doubles above = select(is_less(position, low), low, position);
    return select(is_less(high, above), high, above);
}

// The positions of the rows in `word`, to the last bit as blend_hermite() has them.
HWY_NOINLINE void curve_positions(const HermiteBlock& from_block, std::uint64_t word,
                                  const BlockTarget& target) {
    // By value: GCC reads what it has by reference again after every store of a vector.
    const HermiteBlock block = from_block;
    const BlockTarget out = target;
    const std::size_t first = block.from.first;
    const Doubles zero = fill_doubles(0.0);
    const Doubles one = fill_doubles(1.0);
    const Doubles t = fill_doubles(block.t);
    const Doubles rest = fill_doubles(1.0 - block.t);
    const Doubles span = fill_doubles(block.duration_s);
    for (std::size_t row = 0; row < kBlockRows; row += kDoubleLanes) {
        const Triples<Doubles> a = load_doubles(block.from.position, first + row);
        const Triples<Doubles> b = load_doubles(block.to.position, first + row);
        const Triples<Doubles> step = b - a;
        const auto u0 =
            scale_by(span, load_promoted(block.from_velocity.linear, first + row)) - step;
        const auto u1 = scale_by(span, load_promoted(block.to_velocity.linear, first + row)) - step;
        const Doubles sum2 = compute_square(u0 + u1);
        const Doubles difference2 = compute_square(u1 - u0);
        // Where it is not less there is no curve, nor perhaps a quotient.
        const DoubleMask is_curved = is_less(sum2, difference2);
        const Doubles ratio = sum2 / select(is_curved, difference2, one);
        const Doubles factor = select(is_curved, (one - ratio) * t * rest, zero);
        const auto curve = scale_by(factor, scale_by(rest, u0) - scale_by(t, u1));
        const DoubleMask is_hermite = double_mask(word >> row);
        const Triples<Doubles> line = a + scale_by(t, step);
        const Triples<Doubles> drawn = line + curve;
        store_doubles(select(is_hermite, clamp_position(drawn.x), line.x),
                      out.position[0] + out.first + row);
        store_doubles(select(is_hermite, clamp_position(drawn.y), line.y),
                      out.position[1] + out.first + row);
        store_doubles(select(is_hermite, clamp_position(drawn.z), line.z),
                      out.position[2] + out.first + row);
    }
}

// The rotation vectors of the shorter way from `a` to `b`.
HWY_INLINE Triples<Floats> compute_steps(const Rotations& a, const Rotations& b,
                                         const WeightVectors& angle_per_sine) {
    const Turn turn = compute_turn(a, b);
    const Floats half_sine = evaluate(angle_per_sine, turn);
    const Floats factor = hn::Xor(half_sine + half_sine, turn.sign);
    // The vector part of b times the conjugate of a.
    const Triples<Floats> sine{hn::MulSub(a.w, b.x, b.w * a.x) + hn::MulSub(a.y, b.z, a.z * b.y),
                               hn::MulSub(a.w, b.y, b.w * a.y) + hn::MulSub(a.z, b.x, a.x * b.z),
                               hn::MulSub(a.w, b.z, b.w * a.z) + hn::MulSub(a.x, b.y, a.y * b.x)};
    return scale_by(factor, sine);
}

// exp(c) * q for half rotation vectors c of at most 0.63 rad: Taylor's series, off by less than
// 1e-8.
HWY_INLINE Rotations turn_further(const Triples<Floats>& c, const Rotations& q) {
    const FloatTag tag;
    const Floats x = compute_square(c);
    const Floats one = hn::Set(tag, 1.0F);
    Floats sinc = hn::MulAdd(hn::Set(tag, 1.0F / 362880.0F), x, hn::Set(tag, -1.0F / 5040.0F));
    sinc = hn::MulAdd(sinc, x, hn::Set(tag, 1.0F / 120.0F));
    sinc = hn::MulAdd(sinc, x, hn::Set(tag, -1.0F / 6.0F));
    sinc = hn::MulAdd(sinc, x, one);
    Floats w = hn::MulAdd(hn::Set(tag, 1.0F / 40320.0F), x, hn::Set(tag, -1.0F / 720.0F));
    w = hn::MulAdd(w, x, hn::Set(tag, 1.0F / 24.0F));
    w = hn::MulAdd(w, x, hn::Set(tag, -0.5F));
    w = hn::MulAdd(w, x, one);
    const Triples<Floats> v = scale_by(sinc, c);
    return {hn::MulAdd(w, q.x, q.w * v.x) + hn::MulSub(v.y, q.z, v.z * q.y),
            hn::MulAdd(w, q.y, q.w * v.y) + hn::MulSub(v.z, q.x, v.x * q.z),
            hn::MulAdd(w, q.z, q.w * v.z) + hn::MulSub(v.x, q.y, v.y * q.x),
            hn::MulSub(w, q.w, v.x * q.x) - hn::MulAdd(v.y, q.y, v.z * q.z)};
}

// Turns the rotations of the rows in `word`, which slerp has put into `out`, by the curve: so the
// end velocities are met without derivatives, and a constant spin is slerp. Returns the rows among
// them that turn too fast for it.
HWY_NOINLINE std::uint64_t curve_rotations(const HermiteBlock& from_block, std::uint64_t word,
                                           const BlockTarget& target) {
    const HermiteBlock block = from_block;
    const BlockTarget out = target;
    const FloatTag tag;
    const std::size_t first = block.from.first;
    const double rest = 1.0 - block.t;
    const WeightVectors angle_per_sine = fill_weights(kAnglePerSine);
    const Floats span = hn::Set(tag, static_cast<float>(block.duration_s));
    // Half of the curve.
    const Floats part0 = hn::Set(tag, static_cast<float>(0.5 * block.t * rest * rest));
    const Floats part1 = hn::Set(tag, static_cast<float>(0.5 * block.t * block.t * rest));
    const Floats one = hn::Set(tag, 1.0F);
    const Floats limit = hn::Set(tag, kMaxDeviationRad * kMaxDeviationRad);
    std::uint64_t too_fast = 0;
    for (std::size_t row = 0; row < kBlockRows; row += kFloatLanes) {
        const auto step = compute_steps(load_rotations(block.from, row),
                                        load_rotations(block.to, row), angle_per_sine);
        const auto u0 =
            scale_by(span, load_floats(block.from_velocity.angular, first + row)) - step;
        const auto u1 = scale_by(span, load_floats(block.to_velocity.angular, first + row)) - step;
        const Floats sum2 = compute_square(u0 + u1);
        const Floats difference2 = compute_square(u1 - u0);
        const FloatMask is_slow = hn::And(hn::Le(sum2, limit), hn::Le(difference2, limit));
        const FloatMask is_curved = hn::And(is_slow, hn::Lt(sum2, difference2));
        const Floats ratio = sum2 / hn::IfThenElse(is_curved, difference2, one);
        const Floats factor = hn::IfThenElseZero(is_curved, one - ratio);
        const auto half_curve = scale_by(factor, scale_by(part0, u0) - scale_by(part1, u1));
        const Rotations q = load_rotations(out, row);
        const FloatMask is_hermite = hn::And(from_word(tag, word >> row), is_curved);
        store_rotations(choose(is_hermite, turn_further(half_curve, q), q), out, row);
        too_fast |= to_word(tag, hn::Not(is_slow)) << row;
    }
    return too_fast & word;
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
