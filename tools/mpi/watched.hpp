#pragma once

#include <functional>

namespace widephase::tools {

/// Runs `work` and returns what it does. Under mpirun it runs in a process of its own, and if that
/// is killed, this one says so with the rank's number: no rank can tell of its own end, nor the
/// others of whose it was. `advice` then says how to go on. To be called before anything
/// else, also before MPI begins.
int watched(const std::function<int()>& work, const char* advice);

}  // namespace widephase::tools
