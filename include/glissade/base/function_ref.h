// SPDX-License-Identifier: MIT
// A callable that is lent for the length of one call: no copy, no allocation, may be empty.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace glissade {

template <class Signature>
class FunctionRef;

/// Refers to a callable that has a name and outlives it: a lambda in a variable, an object, a
/// pointer to a function. A temporary does not compile. Never stored by the library. Empty: ask
/// with `if (ref)` before calling.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
public:
    FunctionRef() = default;

    template <class Callable>
    requires std::is_object_v<Callable> && std::is_invocable_r_v<Result, Callable&, Arguments...> &&
        (!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef>)
        // Implicit on purpose: `scene.can_place = may_stand;` is what everybody wants to write.
        // NOLINTNEXTLINE(google-explicit-constructor)
        FunctionRef(Callable& callable) noexcept
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
          call_([](void* object, Arguments... arguments) -> Result {
              return (*static_cast<Callable*>(object))(std::forward<Arguments>(arguments)...);
          }) {}

    [[nodiscard]] explicit operator bool() const noexcept { return call_ != nullptr; }
    Result operator()(Arguments... arguments) const {
        return call_(object_, std::forward<Arguments>(arguments)...);
    }

private:
    void* object_ = nullptr;
    Result (*call_)(void*, Arguments...) = nullptr;
};

} // namespace glissade
