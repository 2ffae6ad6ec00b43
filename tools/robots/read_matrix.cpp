// MoveIt's matrix of links that may touch (moveit_msgs/AllowedCollisionMatrix) in YAML.

#include "tools/robots/link_pairs.hpp"
#include "tools/robots/read_allowed.hpp"
#include "tools/robots/yaml_values.hpp"

namespace widephase::tools {

namespace {

/// Its square is that of the values; aliases make a long matrix of a short file.
constexpr std::size_t kMostNames = 1'000;

constexpr std::string_view kNotLink =
    "which is not a link of the robot; obstacles meet every link, so set it to false";

/// A name of the matrix; the link is -1 for what the robot does not have, such as an obstacle.
struct Entry {
  std::string name;
  std::int32_t link;
};

class MatrixReader {
 public:
  MatrixReader(const std::string& path, const std::vector<std::string>& links,
               std::vector<std::string>& notes)
      : path_(path), notes_(notes), pairs_(path, links) {}

  Column<std::int32_t, 2> read(const YAML::Node& root) {
    const YAML::Node inner = value_at(root, "allowed_collision_matrix");
    const YAML::Node matrix = inner ? inner : root;
    if (!value_at(matrix, "entry_names")) {
      throw FileError(path_,
                      "has no allowed_collision_matrix; expected the SRDF of a robot, or "
                      "MoveIt's matrix in YAML");
    }
    expect_single_keys(path_, root);
    expect_single_keys(path_, matrix);
    read_entries(matrix);
    read_defaults(matrix);
    if (entries_.empty() && defaults_.empty()) {
      fail(matrix,
           "has an allowed_collision_matrix without names; expected one of a robot's links");
    }
    for (std::size_t a = 0; a < entries_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (is_allowed_[a][b]) allow(matrix, entries_[a], entries_[b]);
      }
    }
    allow_defaults(matrix);
    note_strangers();
    return pairs_.columns();
  }

 private:
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    fail_at(path_, node.Mark(), message);
  }

  /// A list of the matrix; one that is not there, or null, is empty.
  YAML::Node list_of(const YAML::Node& matrix, const char* field) const {
    const YAML::Node list = value_at(matrix, field);
    if (!list || list.IsNull()) return YAML::Node(YAML::NodeType::Sequence);
    if (list.IsSequence()) return list;
    fail(list, fmt::format("has {} that are not a list", field));
  }

  std::vector<std::string> names_of(const YAML::Node& matrix, const char* field) const {
    const YAML::Node list = list_of(matrix, field);
    if (list.size() > kMostNames) {
      fail(list, fmt::format("has {} {}; expected at most {}", list.size(), field, kMostNames));
    }
    std::vector<std::string> names;
    std::set<std::string_view> known;
    for (const auto& name : list) {
      if (!name.IsScalar()) fail(list, fmt::format("has {} that are not all texts", field));
      names.push_back(name.Scalar());
      if (known.insert(name.Scalar()).second) continue;
      fail(name, fmt::format("has {} again in {}", in_quotes(name.Scalar()), field));
    }
    return names;
  }

  /// One value per name.
  std::vector<bool> values_of(const YAML::Node& list, std::size_t count,
                              const std::string& field) const {
    if (list.size() != count) {
      fail(list, fmt::format("has {} values in {}; expected {}, one per name", list.size(), field,
                             count));
    }
    std::vector<bool> values;
    for (const auto& value : list) {
      const std::string word = value.IsScalar() ? lower_case(value.Scalar()) : "";
      const bool is_true = word == "true" || word == "1";
      if (!is_true && word != "false" && word != "0") {
        fail(list,
             fmt::format("has {} in {}; expected true or false",
                         value.IsScalar() ? in_quotes(value.Scalar()) : "a list or a map", field));
      }
      values.push_back(is_true);
    }
    return values;
  }

  void read_entries(const YAML::Node& matrix) {
    const std::vector<std::string> names = names_of(matrix, "entry_names");
    const YAML::Node rows = list_of(matrix, "entry_values");
    if (rows.size() != names.size()) {
      fail(matrix, fmt::format("has {} entry_values; expected {}, one per name of entry_names",
                               rows.size(), names.size()));
    }
    for (const std::string& name : names) entries_.push_back({name, pairs_.find(name)});
    for (const auto& row : rows) {
      const std::string field = fmt::format("enabled of {}", names[is_allowed_.size()]);
      const YAML::Node enabled = value_at(row, "enabled");
      if (!enabled || !enabled.IsSequence()) {
        fail(row, fmt::format("has no list {}", field));
      }
      expect_single_keys(path_, row);
      is_allowed_.push_back(values_of(enabled, names.size(), field));
    }
    for (std::size_t a = 0; a < names.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (is_allowed_[a][b] == is_allowed_[b][a]) continue;
        fail(matrix, fmt::format("says {} for {} with {}, and {} for {} with {}; expected the same",
                                 bool{is_allowed_[b][a]}, names[b], names[a],
                                 bool{is_allowed_[a][b]}, names[a], names[b]));
      }
    }
  }

  void read_defaults(const YAML::Node& matrix) {
    const std::vector<std::string> names = names_of(matrix, "default_entry_names");
    const std::vector<bool> values =
        values_of(list_of(matrix, "default_entry_values"), names.size(), "default_entry_values");
    for (std::size_t i = 0; i < names.size(); ++i) defaults_.emplace(names[i], bool{values[i]});
  }

  /// A pair by its own value.
  void allow(const YAML::Node& matrix, const Entry& a, const Entry& b) {
    if (a.link < 0 && b.link < 0) return;  // obstacles
    if (a.link >= 0 && b.link >= 0) return pairs_.disable(a.link, b.link);
    const Entry& link = a.link < 0 ? b : a;
    const Entry& other = a.link < 0 ? a : b;
    fail(matrix, fmt::format("lets {} touch {}, {}", printable(link.name), in_quotes(other.name),
                             kNotLink));
  }

  void allow_defaults(const YAML::Node& matrix) {
    std::vector<std::string> always;
    for (const auto& [name, allows] : defaults_) {
      if (!allows) continue;
      allow_by_default(matrix, name);
      always.push_back(in_quotes(name));
    }
    if (!always.empty()) {
      notes_.push_back(
          fmt::format("{}: lets all touch {} by default; obstacles meet such a link all "
                      "the same",
                      path_, fmt::join(always, ", ")));
    }
  }

  /// The default counts where a pair has no value of its own, and must be true for each name that
  /// has one.
  void allow_by_default(const YAML::Node& matrix, const std::string& name) {
    const std::int32_t link = pairs_.find(name);
    if (link < 0) {
      fail(matrix, fmt::format("lets all touch {} by default, {}", in_quotes(name), kNotLink));
    }
    std::set<std::int32_t> others;  // to which it does not apply
    const bool has_values =
        std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.link == link; });
    for (const Entry& entry : entries_) {
      if (has_values) others.insert(entry.link);
    }
    for (const auto& [other, allows] : defaults_) {
      if (!allows) others.insert(pairs_.find(other));
    }
    for (std::int32_t other = 0; other < pairs_.link_count(); ++other) {
      if (!others.contains(other)) pairs_.disable(link, other);
    }
  }

  /// Names that change nothing, since nothing may touch them.
  void note_strangers() const {
    std::set<std::string> names;
    for (const Entry& entry : entries_) {
      if (entry.link < 0) names.insert(in_quotes(entry.name));
    }
    for (const auto& [name, allows] : defaults_) {
      if (pairs_.find(name) < 0) names.insert(in_quotes(name));
    }
    if (names.empty()) return;
    notes_.push_back(fmt::format("{}: names {}, which the robot does not have; left out", path_,
                                 fmt::join(names, ", ")));
  }

  const std::string& path_;
  std::vector<std::string>& notes_;
  LinkPairs pairs_;
  std::vector<Entry> entries_;
  std::vector<std::vector<bool>> is_allowed_;
  std::map<std::string, bool> defaults_;
};

}  // namespace

Column<std::int32_t, 2> read_matrix(const std::string& path, const std::vector<std::string>& links,
                                    std::vector<std::string>& notes) {
  return read_yaml(
      path, [&](const YAML::Node& root) { return MatrixReader(path, links, notes).read(root); });
}

}  // namespace widephase::tools
