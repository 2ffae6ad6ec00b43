#include <fmt/format.h>

#include <memory>
#include <optional>

#include <widephase/collide.hpp>

#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/option_values.hpp"
#include "tools/commands/outputs.hpp"
#include "tools/commands/progress.hpp"
#include "tools/commands/scene_page.hpp"
#include "tools/formats/contact_sides.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/wording.hpp"
#include "tools/page/view_page.hpp"
#include "tools/page/view_page_parts.hpp"

namespace widephase::tools {

namespace {

struct ViewArguments {
  std::string scene;
  std::string contacts;
  std::string out;
  WorldChoice world;
  double margin = 0;
  bool steps = false;
};

template <int D, class T>
SceneColumns<D, T> columns_of(const SceneFile& file) {
  SceneColumns<D, T> scene;
  file.to_columns(scene);
  // A file of contacts may come from a call that dropped invalid shapes, so the ids would not
  // match.
  const std::vector<Finding> findings = validate<D, T>(scene);
  if (!findings.empty()) throw Error(findings[0]);
  return scene;
}

template <int D, class T>
ViewContacts collided(const SceneColumns<D, T>& scene, const SceneFile& file, double margin) {
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  CollideOptions options;
  options.margin = margin;
  options.order = Order::id;
  if (const std::optional<std::vector<Pair>> pairs = file.pairs()) {
    collide_pairs<D, T>(scene, *pairs, contacts, workspace, options);
  } else {
    collide<D, T>(scene, contacts, workspace, options);
  }
  return view_contacts_of(contacts);
}

template <int D, class T>
std::string page_of(const ViewArguments& arguments, const SceneFile& file, Progress& progress) {
  const SceneColumns<D, T> scene = columns_of<D, T>(file);
  ViewScene view = view_scene_of(scene, file, arguments.world);
  view.has_steps = arguments.steps;
  ViewContacts contacts;
  if (arguments.contacts.empty()) {
    progress.stage("colliding " + shapes_text(file));
    contacts = collided(scene, file, arguments.margin);
  } else {
    progress.stage("loading " + arguments.contacts);
    contacts = read_view_contacts(arguments.contacts, D, file.shape_count());
  }
  progress.stage("writing " + arguments.out);
  return view_page(view, contacts);
}

void check(const ViewArguments& arguments) {
  check_ending("--out", arguments.out, {".html"});
  for (const std::string& read : {arguments.scene, arguments.contacts}) {
    if (is_same_file(read, arguments.out)) {
      throw UsageError(fmt::format("{} is read here; name another file to write", arguments.out));
    }
  }
  if (!arguments.contacts.empty() && arguments.margin > 0) {
    throw UsageError("--margin is for contacts that are found here; leave it or CONTACTS out");
  }
}

void run_view(const ViewArguments& arguments) {
  check(arguments);
  require_page();
  Progress progress("loading " + arguments.scene);
  const SceneFile file = read_complete_scene(arguments.scene);
  OutputFile out(arguments.out);
  try {
    const std::string page = in_numbers(file.dimension(), file.precision(), [&]<int D, class T>() {
      return page_of<D, T>(arguments, file, progress);
    });
    require_page_size(arguments.scene, page.size());
    out.write(page);
    out.commit();
    progress.finish();
    print_text(fmt::format("{}\n  wrote {} ({:.1f} MB)\n", scene_text(file, arguments.scene),
                           arguments.out, static_cast<double>(page.size()) / (1 << 20)),
               {{"--out", arguments.out}});
  } catch (const Error& error) {
    throw FileError(arguments.scene, said(error));
  }
}

}  // namespace

std::function<void()> add_view(CLI::App& app) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command =
      add_command(app, "view",
                  *kViewPage == '\0' ? "Write a page that shows a scene (not in this build)"
                                     : "Write a page that shows a scene and contacts");
  command->add_option("SCENE", arguments->scene, "A scene: .npz, .json or .csv")
      ->required()
      ->transform(input_file());
  command
      ->add_option("CONTACTS", arguments->contacts,
                   "What collide --out wrote of it: .npz (default: found here)")
      ->transform(input_file());
  command->add_option("-o,--out", arguments->out, "The page: .html")
      ->required()
      ->type_name("FILE")
      ->transform(output_file());
  add_world_options(*command, arguments->world, "Only this world (default: all, by a slider)",
                    "Only the world of this frame");
  add_margin(*command, arguments->margin, "Show contacts up to this distance apart (default: 0)");
  command->add_flag("--steps", arguments->steps, "The worlds are steps in time: say so");
  command->footer(
      "One file that any browser opens from the disk, without a server: shapes coloured by their\n"
      "deepest contact, contact points with normals, a slider through the worlds. It opens on the\n"
      "first world with contacts. A click on a contact or a shape tells its numbers; the address\n"
      "keeps world, camera and selection, so copy it to show someone what you see. The page is "
      "part\n"
      "of builds with -DWIDEPHASE_WEB=ON (`info` tells); collide --picture draws an SVG in any.\n"
      "\n"
      "Examples:\n"
      "  widephase view pile.npz -o pile.html\n"
      "  widephase view crowd.npz contacts.npz --steps -o crowd.html\n");
  return [arguments] { run_view(*arguments); };
}

}  // namespace widephase::tools
