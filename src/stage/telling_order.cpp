// SPDX-License-Identifier: MIT
#include "stage/telling_order.h"

#include <algorithm>

namespace glissade {

namespace {

/// Fewer are fast enough as they are.
constexpr std::size_t kFewest = 16;
/// So many are compared at a time. Between two such pieces some may be missing or be new.
constexpr std::size_t kPiece = 64;
constexpr std::size_t kMostAside = 8;

/// The place of `entry` near `expected`, or that.
std::size_t find_near(std::span<const TellingOrder::Entry> before, std::size_t expected,
                      TellingOrder::Entry entry) noexcept {
    const std::size_t first = expected - std::min(expected, kMostAside);
    const std::size_t end = std::min(before.size(), expected + kMostAside + 1);
    for (std::size_t place = first; place < end; ++place) {
        if (before[place] == entry) {
            return place;
        }
    }
    return std::min(expected, before.size());
}

std::size_t count_same(std::span<const TellingOrder::Entry> a,
                       std::span<const TellingOrder::Entry> b) noexcept {
    const std::size_t length = std::min(a.size(), b.size());
    std::size_t same = 0;
    for (std::size_t i = 0; i < length; ++i) {
        same += a[i] == b[i] ? 1U : 0U;
    }
    return same;
}

} // namespace

bool TellingOrder::is_repeated() const noexcept {
    const std::span<const TellingOrder::Entry> told(told_[now_].data(), count_);
    const std::size_t most_other = told.size() / 4;
    std::size_t other = 0;
    std::size_t expected = 0;
    for (std::size_t first = 0; first < told.size() && other <= most_other; first += kPiece) {
        const auto piece = told.subspan(first, std::min(kPiece, told.size() - first));
        expected = find_near(before_, expected, piece[0]);
        other += piece.size() - count_same(piece, before_.subspan(expected));
        expected += piece.size();
    }
    return told.size() >= kFewest && other <= most_other;
}

std::span<const TellingOrder::Entry> TellingOrder::take_repeated() noexcept {
    // Judged once a tick, however many frames show it.
    if (is_judged_) {
        return {};
    }
    is_judged_ = true;
    if (!is_repeated()) {
        return {};
    }
    return {told_[now_].data(), count_};
}

} // namespace glissade
