// SPDX-License-Identifier: MIT
#include "glissade/remote/remote_tuning.h"

namespace glissade {

RemoteTuning RemoteTuning::literal() noexcept {
    RemoteTuning tuning;
    tuning.far_test = FarTest::Update;
    tuning.root_motion = RootMotion::Add;
    tuning.duplicate_tail = DuplicateTail::Drop;
    tuning.progress_resets_failures = true;
    tuning.orientation_always_snaps = true;
    tuning.landing_chase_m = 0.0;
    return tuning;
}

} // namespace glissade
