#include "pipeline/narrow/call_checks.hpp"

#include <cmath>
#include <string>

#include "soa/column_layout.hpp"
#include "soa/number_text.hpp"

namespace widephase {

void require_entry_a_pair(const char* column, std::size_t entries, std::size_t pairs) {
  if (entries == pairs) return;
  throw Error(
      Finding{column, -1, "has " + number(entries) + " entries for " + number(pairs) + " pairs"});
}

void require_warm_starts(const CollideOptions& options, std::size_t pairs) {
  if (!(options.steadiness >= 0) || !std::isfinite(options.steadiness)) {
    throw Error(Finding{"steadiness", -1,
                        "is " + number(options.steadiness) + "; it must be a finite number >= 0"});
  }
  if (options.warm_starts.empty()) {
    if (options.steadiness > 0 && pairs > 0) {
      throw Error(Finding{"steadiness", -1,
                          "goes by the last step; give warm_starts or a Tracker with it"});
    }
    return;
  }
  require_entry_a_pair("warm_starts", options.warm_starts.size(), pairs);
  require_address("warm_starts", options.warm_starts);
}

void require_margin(const CollideOptions& options) {
  if (options.margin >= 0 && std::isfinite(options.margin)) return;
  throw Error(
      Finding{"margin", -1, "is " + number(options.margin) + "; it must be finite and >= 0"});
}

void require_patches(const CollideOptions& options) {
  if (options.most_patches < 0) {
    throw Error(Finding{"most_patches", -1,
                        "is " + number(options.most_patches) + "; it must be >= 0, 0 for all"});
  }
  if (!(options.patch_angle >= 0 && options.patch_angle <= 90)) {
    throw Error(Finding{"patch_angle", -1,
                        "is " + number(options.patch_angle) + "; it must be 0 to 90 degrees"});
  }
}

void require_flush(const CollideOptions& options) {
  if (options.flush_tolerance >= 0 && std::isfinite(options.flush_tolerance)) return;
  throw Error(Finding{"flush_tolerance", -1,
                      "is " + number(options.flush_tolerance) + "; it must be finite and >= 0"});
}

void refuse_patches(const CollideOptions& options, const char* call) {
  const CollideOptions defaults;
  const bool has_most = options.most_patches != defaults.most_patches;
  if (!has_most && options.patch_angle == defaults.patch_angle) return;
  throw Error(
      Finding{has_most ? "most_patches" : "patch_angle", -1,
              "is not for " + std::string(call) + ", which gives no contacts; leave it as it is"});
}

void refuse_steadiness(const CollideOptions& options, const char* call) {
  if (options.steadiness == 0) return;
  throw Error(Finding{"steadiness", -1,
                      "is not for " + std::string(call) + ", which answers exactly; leave it 0"});
}

void refuse_warm_starts(const CollideOptions& options, const char* call) {
  if (options.warm_starts.empty()) return;
  throw Error(Finding{"warm_starts", -1,
                      "are of pairs that the caller names; " + std::string(call) +
                          " finds its own, so leave them empty or call find_pairs and "
                          "find_contacts"});
}

void refuse_world_choice(const CollideOptions& options, const char* call) {
  const bool is_masked = !options.world_mask.empty();
  if (!is_masked && options.world_status.empty()) return;
  throw Error(Finding{
      is_masked ? "world_mask" : "world_status", -1,
      "is not for " + std::string(call) + ", which answers all that it is asked; leave it empty"});
}

}  // namespace widephase
