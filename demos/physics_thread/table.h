// SPDX-License-Identifier: MIT
// The results for people.
#pragma once

#include "cell.h"

namespace physics_thread {

void print_head();
/// One row for each way to draw.
void print_cell(const CellResult& cell);
void print_legend();

} // namespace physics_thread
