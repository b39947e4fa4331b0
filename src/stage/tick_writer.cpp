// SPDX-License-Identifier: MIT
#include "glissade/stage/tick_writer.h"

namespace glissade {

void TickWriter::flush() noexcept {
    if (waiting_count_ == 0) {
        return;
    }
    stage_->move_some(tick_, {ids_.data(), waiting_count_}, {poses_.data(), waiting_count_},
                      handed_count_, result_);
    handed_count_ += waiting_count_;
    waiting_count_ = 0;
}

BatchResult TickWriter::finish() noexcept {
    flush();
    stage_->finish_moves();
    return result_;
}

} // namespace glissade
