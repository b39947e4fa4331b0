// SPDX-License-Identifier: MIT
#include "lab/doctor.h"
#include "web/native/glissade_lab.h"
#include "web/native/recording.h"

namespace web = glissade::web;
namespace lab = glissade::lab;

struct glissade_diagnosis { // NOLINT(readability-identifier-naming): of the C interface.
    explicit glissade_diagnosis(lab::Diagnosis&& made) : diagnosis(std::move(made)) {}
    lab::Diagnosis diagnosis;
};

namespace {

// A text of a finding, or null.
const char* text_of(const glissade_diagnosis* diagnosis, std::uint32_t number,
                    std::string lab::Finding::*text) {
    const std::vector<lab::Finding>& findings = diagnosis->diagnosis.findings;
    return number < findings.size() ? (findings[number].*text).c_str() : nullptr;
}

} // namespace

glissade_diagnosis* glissade_diagnosis_create(const glissade_recording* recording, uint32_t side) {
    const auto part = recording->cut_out(recording->seconds, side, std::nullopt, 0);
    return web::make<glissade_diagnosis>("glissade_diagnosis_create",
                                         lab::diagnose(part.trace, part.drawn));
}

void glissade_diagnosis_destroy(glissade_diagnosis* diagnosis) {
    delete diagnosis;
}

int32_t glissade_diagnosis_healthy(const glissade_diagnosis* diagnosis) {
    return diagnosis->diagnosis.healthy ? 1 : 0;
}

uint32_t glissade_diagnosis_count(const glissade_diagnosis* diagnosis) {
    return static_cast<uint32_t>(diagnosis->diagnosis.findings.size());
}

const char* glissade_diagnosis_name(const glissade_diagnosis* diagnosis, uint32_t number) {
    const std::vector<lab::Finding>& findings = diagnosis->diagnosis.findings;
    return number < findings.size() ? lab::to_string(findings[number].disease) : nullptr;
}

const char* glissade_diagnosis_what(const glissade_diagnosis* diagnosis, uint32_t number) {
    return text_of(diagnosis, number, &lab::Finding::what);
}

const char* glissade_diagnosis_evidence(const glissade_diagnosis* diagnosis, uint32_t number) {
    return text_of(diagnosis, number, &lab::Finding::evidence);
}

const char* glissade_diagnosis_cure(const glissade_diagnosis* diagnosis, uint32_t number) {
    return text_of(diagnosis, number, &lab::Finding::cure);
}

double glissade_diagnosis_severity(const glissade_diagnosis* diagnosis, uint32_t number) {
    const std::vector<lab::Finding>& findings = diagnosis->diagnosis.findings;
    return number < findings.size() ? findings[number].severity : 0.0;
}

uint32_t glissade_diagnosis_note_count(const glissade_diagnosis* diagnosis) {
    return static_cast<uint32_t>(diagnosis->diagnosis.notes.size());
}

const char* glissade_diagnosis_note(const glissade_diagnosis* diagnosis, uint32_t number) {
    const std::vector<std::string>& notes = diagnosis->diagnosis.notes;
    return number < notes.size() ? notes[number].c_str() : nullptr;
}
