// SPDX-License-Identifier: MIT
#include "glissade/trace/trace_reader.h"

namespace glissade {

const char* to_string(TraceProblem problem) noexcept {
    switch (problem) {
        case TraceProblem::None:
            return "none";
        case TraceProblem::NotJson:
            return "not JSON";
        case TraceProblem::UnknownKind:
            return "unknown kind of line";
        case TraceProblem::MissingKey:
            return "missing key";
        case TraceProblem::WrongType:
            return "wrong type";
        case TraceProblem::NotFinite:
            return "not finite";
        case TraceProblem::OutOfOrder:
            return "out of order";
        case TraceProblem::NoHeader:
            return "no header";
        case TraceProblem::BadVersion:
            return "bad version";
        case TraceProblem::LineTooLong:
            return "line too long";
        case TraceProblem::WrongSource:
            return "wrong source";
    }
    return "unknown";
}

const char* remedy(TraceProblem problem) noexcept {
    switch (problem) {
        case TraceProblem::None:
            return "Nothing needs to be done.";
        case TraceProblem::NotJson:
            return "Write one JSON object a line, in UTF-8, and close the file before it is read.";
        case TraceProblem::UnknownKind:
            return "Give each line exactly one of the keys \"trace\", \"tick\", \"frame\" and "
                   "\"truth\", or in the trace of a network \"motion\", \"vector\", \"moveto\", "
                   "\"player\" or \"blocked\".";
        case TraceProblem::MissingKey:
            return "Write the key; docs/trace-format.md lists those that each kind of line needs.";
        case TraceProblem::WrongType:
            return "Write the value as docs/trace-format.md says; leave an optional key out "
                   "instead of writing null.";
        case TraceProblem::NotFinite:
            return "Find out where the number comes from; a trace holds finite numbers only.";
        case TraceProblem::OutOfOrder:
            return "Write lines in the order in which they could be known: ticks by \"arrive\", "
                   "frames by \"cpu\", with numbers that grow.";
        case TraceProblem::NoHeader:
            return "Begin the file with one line that has \"trace\":1, and write no other.";
        case TraceProblem::BadVersion:
            return "Record the trace again as version 1, or read it with a newer Glissade.";
        case TraceProblem::LineTooLong:
            return "End each object with a line end; a reader of one's own may raise "
                   "max_line_bytes.";
        case TraceProblem::WrongSource:
            return "Write \"source\":\"network\" in the header if the ticks come from a server; "
                   "else "
                   "leave such lines out.";
    }
    return "Nothing is known about it.";
}

} // namespace glissade
