// SPDX-License-Identifier: MIT
// All of Glissade in one include.
#pragma once

#include "glissade/base/hooks.h"
#include "glissade/base/id.h"
#include "glissade/pose/affine.h"
#include "glissade/pose/blend.h"
#include "glissade/pose/channel.h"
#include "glissade/pose/pose.h"
#include "glissade/pose/quaternion.h"
#include "glissade/rig/follow_camera.h"
#include "glissade/rig/local_body.h"
#include "glissade/stage/stage.h"
#include "glissade/stage/stage_types.h"
#include "glissade/time/clock_status.h"
#include "glissade/time/fixed_step.h"
#include "glissade/time/quantum_gate.h"
#include "glissade/time/rate.h"
#include "glissade/time/tick.h"
#include "glissade/time/tick_range.h"
#include "glissade/time/time_group.h"
#include "glissade/version.h"
