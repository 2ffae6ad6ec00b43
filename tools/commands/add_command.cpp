#include "tools/commands/commands.hpp"

namespace widephase::tools {

CLI::App* add_command(CLI::App& app, const char* name, const char* text) {
  return app.add_subcommand(name, text)->group("Commands");
}

}  // namespace widephase::tools
