// SPDX-License-Identifier: MIT
#include "glissade/link/link.h"

#include "web/native/border.h"
#include "web/native/link_config.h"

namespace web = glissade::web;

size_t glissade_link_bytes(uint32_t capacity) {
    const std::size_t bytes = glissade::link_size_bytes(web::link_config(capacity));
    if (bytes == 0) {
        web::fail("glissade_link_bytes", "the capacity is 0 or too large");
    }
    return bytes;
}

int32_t glissade_link_format(void* memory, size_t bytes, uint32_t capacity) {
    const glissade::LinkStatus status =
        glissade::format_link(web::to_span(memory, bytes), web::link_config(capacity));
    return status == glissade::LinkStatus::Ok
               ? 1
               : web::fail("glissade_link_format", to_string(status));
}
