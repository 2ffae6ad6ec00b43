// Names of shapes and bodies, frames of worlds, what contacts files say of both sides, and several
// scenes in one.
// Labels: plain

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include <widephase/collide.hpp>

#include "support/npz_bytes.hpp"
#include "support/own_folder.hpp"
#include "tools/formats/contacts_file.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/merge_scenes.hpp"
#include "tools/formats/npz.hpp"
#include "tools/formats/read_scene.hpp"

namespace widephase::tools {
namespace {

using widephase::test::bytes_of;
using widephase::test::npy;
using widephase::test::stored_zip;
using Texts = std::vector<std::string>;

class names : public widephase::test::OwnFolder {
 protected:
  static SceneFile load(const std::string& path, const ReadOptions& options = {}) {
    return read_scene(path, detect_format(path), options);
  }
  static SceneFile load_text(const std::string& path, const std::string& text) {
    write(path, text);
    return load(path);
  }
  static void save(const SceneFile& scene, const std::string& path) {
    OutputFile file(path);
    write_scene(scene, output_format(path), file);
    file.commit();
  }
  static Texts texts(const SceneFile& scene, const std::string& name) {
    const Array* array = scene.find(name);
    Texts all;
    for (std::size_t i = 0; array != nullptr && i < array->count(); ++i) {
      all.push_back(array->text(i));
    }
    return all;
  }
  template <class T>
  static std::vector<T> numbers(const SceneFile& scene, const std::string& name) {
    const Array* array = scene.find(name);
    if (array == nullptr) return {};
    const auto values = array->values<T>();
    return {values.begin(), values.end()};
  }
  static std::vector<std::int64_t> frames(const SceneFile& scene) {
    return {scene.frames().begin(), scene.frames().end()};
  }
  static std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }
  static std::string error_of_text(const std::string& text) {
    return error_of([&] { load_text("bad.json", text); });
  }
};

constexpr const char* kTwo = R"({"dimension": 2,
  "circle": {"center": [[0, 0], [1.5, 0]], "radius": 1, "name": ["Bär", ""]},
  "bodies": {"position": [[0, 0]], "name": ["base"]}})";

TEST_F(names, survive_every_format_that_holds_them) {
  const SceneFile scene = load_text("two.json", kTwo);
  EXPECT_EQ(texts(scene, "circle.name"), (Texts{"Bär", ""}));
  save(scene, "two.npz");
  const SceneFile packed = load("two.npz");
  EXPECT_EQ(texts(packed, "circle.name"), (Texts{"Bär", ""}));
  EXPECT_EQ(texts(packed, "bodies.name"), Texts{"base"});
  save(packed, "again.json");
  EXPECT_EQ(texts(load("again.json"), "circle.name"), (Texts{"Bär", ""}));
  const std::string quoted =
      R"({"circle": {"center": [[0, 0]], "radius": 1, "name": ["a\"b\\c"]}})";
  save(load_text("quoted.json", quoted), "quoted2.json");
  EXPECT_EQ(texts(load("quoted2.json"), "circle.name"), Texts{"a\"b\\c"});
}

TEST_F(names, are_arrays_of_unicode_in_npz_as_numpy_writes_them) {
  // "Bär" and "a": three characters of four bytes each, the shorter one filled up by zeros.
  const std::vector<std::uint32_t> wide{'B', 0xE4, 'r', 'a', 0, 0};
  const std::vector<double> centers{0, 0, 3, 0}, radii{1, 1};
  write("numpy.npz", stored_zip({{"circle.center.npy", npy("<f8", "(2, 2)", bytes_of(centers))},
                                 {"circle.radius.npy", npy("<f8", "(2,)", bytes_of(radii))},
                                 {"circle.name.npy", npy("<U3", "(2,)", bytes_of(wide))}}));
  const SceneFile scene = load("numpy.npz");
  EXPECT_EQ(texts(scene, "circle.name"), (Texts{"Bär", "a"}));
  save(scene, "ours.npz");
  EXPECT_EQ(texts(load("ours.npz"), "circle.name"), (Texts{"Bär", "a"}));
}

TEST_F(names, that_are_not_texts_are_refused) {
  EXPECT_EQ(error_of_text(R"({"circle": {"center": [[0, 0]], "radius": 1, "name": [1]}})"),
            "bad.json: circle.name[0] is 1; expected a text");
  EXPECT_EQ(error_of_text(R"({"circle": {"center": [[0, 0]], "radius": ["a"]}})"),
            "bad.json: circle.radius[0] is \"a\"; expected a number");
  const std::string long_name(256, 'a');
  EXPECT_EQ(error_of_text(R"({"circle": {"center": [[0, 0]], "radius": 1, "name": [")" + long_name +
                          R"("]}})"),
            "bad.json: circle.name[0] has 256 characters; expected at most 255");
  EXPECT_EQ(error_of_text(R"({"circle": {"center": [[0, 0]], "radius": 1, "name": ["a", "b"]}})"),
            "bad.json: circle.name has 2 rows and circle.center has 1; the columns of a kind are "
            "equally long");
  const std::vector<double> centers{0, 0};
  const std::vector<std::uint32_t> wide{'1'};
  write("text.npz", stored_zip({{"circle.center.npy", npy("<f8", "(1, 2)", bytes_of(centers))},
                                {"circle.radius.npy", npy("<U1", "(1,)", bytes_of(wide))}}));
  EXPECT_EQ(error_of([] { load("text.npz"); }),
            "text.npz: circle.radius holds texts; expected numbers");
}

// A robot of a base and a hand, whose link has two spheres.
constexpr const char* kHand = R"(<robot name="r"><link name="base"><collision><geometry>
  <box size="1 1 1"/></geometry></collision></link><link name="hand"><collision><geometry>
  <sphere radius="0.1"/></geometry></collision><collision><geometry><sphere radius="0.2"/>
  </geometry></collision></link><joint name="j" type="revolute"><parent link="base"/>
  <child link="hand"/><origin xyz="2 0 0"/></joint></robot>)";

TEST_F(names, of_robots_are_those_of_links_geoms_and_objects) {
  ReadOptions options;
  write("motion.csv", "0\n1\n");
  write("hand.urdf", kHand);
  options.joints = "motion.csv";
  const SceneFile robot = load("hand.urdf", options);
  EXPECT_EQ(texts(robot, "sphere.name"), (Texts{"hand", "hand", "hand", "hand"}));
  EXPECT_EQ(texts(robot, "bodies.name"), (Texts{"base", "hand", "base", "hand"}));

  // A geom without a name has that of its body; copies have MuJoCo's endings.
  const SceneFile model = load_text("model.xml", R"(<mujoco><worldbody>
    <geom name="floor" type="plane" size="1 1 1"/><replicate count="2" sep="-" offset="3 0 0">
    <body name="ball"><freejoint/><geom size="1"/><geom name="top" size="0.5"/></body>
    </replicate></worldbody></mujoco>)");
  EXPECT_EQ(texts(model, "halfspace.name"), Texts{"floor"});
  EXPECT_EQ(texts(model, "sphere.name"), (Texts{"ball-0", "top-0", "ball-1", "top-1"}));
  EXPECT_EQ(texts(model, "bodies.name"), (Texts{"ball-0", "ball-1"}));

  const SceneFile shelf = load_text("shelf.yaml", R"(world: {collision_objects: [
    {id: shelf_top, primitives: [{type: sphere, dimensions: [1]}],
     primitive_poses: [{position: [0, 0, 0], orientation: [0, 0, 0, 1]}]}]})");
  EXPECT_EQ(texts(shelf, "sphere.name"), Texts{"shelf_top"});
}

TEST_F(names, frames_of_trajectories_and_dumps_keep_their_numbers) {
  ReadOptions options;
  options.radius = 0.2;
  write("crowd.txt", "1 50 0 0\n1 0 0 0\n1 10 0 0\n2 10 1 0\n");
  const SceneFile crowd = load("crowd.txt", options);
  EXPECT_EQ(numbers<std::int32_t>(crowd, "circle.world"), (std::vector<std::int32_t>{2, 0, 1, 1}));
  EXPECT_EQ(frames(crowd), (std::vector<std::int64_t>{0, 10, 50}));
  save(crowd, "crowd.npz");
  EXPECT_EQ(frames(load("crowd.npz")), (std::vector<std::int64_t>{0, 10, 50}));

  const auto step = [](const std::string& number, const std::string& x) {
    return number +
           "ITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
           "ITEM: ATOMS id x y z radius\n1 " +
           x + " 0 0 0.5\n";
  };
  const std::string first = "ITEM: TIMESTEP\n20000\n", second = "ITEM: TIMESTEP\n10000\n";
  EXPECT_EQ(frames(load_text("steps.dump", step(first, "0") + step(second, "1"))),
            (std::vector<std::int64_t>{20000, 10000}));
  EXPECT_EQ(frames(load_text("one.dump", step(first, "0"))), (std::vector<std::int64_t>{20000}));
  EXPECT_TRUE(frames(load_text("part.dump", step(first, "0") + step("", "1"))).empty());
}

TEST_F(names, fewer_frames_than_worlds_are_refused) {
  EXPECT_EQ(error_of_text(R"({"circle": {"center": [[0, 0]], "radius": 1, "world": [4]},
              "world": {"frame": [1, 2]}})"),
            "bad.json: world.frame has 2 numbers; the scene has 5 worlds, each with a frame");
}

// Contacts.

// The second and the third ball overlap in world 1, frame 70; the third touches what is kept.
constexpr const char* kBalls = R"({"dimension": 2, "circle": {"center": [[9, 9], [0, 0], [1.5, 0]],
  "radius": 1, "world": [0, 1, 1], "key": [5, 6, 7], "body": [-1, 0, -1],
  "name": ["", "ball, red", ""]}, "bodies": {"position": [[0, 0]]},
  "world": {"frame": [60, 70]}})";
constexpr const char* kWall = R"({"dimension": 2, "box": {"center": [[4, 0]], "angle": 0,
  "half_extents": [[1.5, 1]], "world": [-1], "body": [2]}})";

ContactBuffer<2, double> two_contacts() {
  ContactBuffer<2, double> contacts;
  contacts.pair.push_back({Pair{1, 2}});
  contacts.pair.push_back({Pair{2, 3}});  // 3 circles, so id 3 is the kept box
  contacts.source = {0, 1};
  contacts.normal = {{1, 0}, {1, 0}};
  contacts.depth = {0.5, 0};
  contacts.status = {0, 0};
  contacts.offset = {0, 1, 2};
  contacts.point = {{1, 0}, {2.5, 0}};
  contacts.point_depth = {0.5, 0};
  contacts.feature = {0, 0};
  return contacts;
}

TEST_F(names, contacts_files_say_what_both_sides_are) {
  const SceneFile scene = load_text("balls.json", kBalls), wall = load_text("wall.json", kWall);
  const ContactBuffer<2, double> contacts = two_contacts();
  const ContactSides sides = sides_of(contacts.pair, {rows_of(scene), rows_of(wall)});
  OutputFile csv("contacts.csv");
  write_contacts_csv(contacts, csv, &sides);
  csv.commit();
  // The kept box's key is its own id, 0; its body 2 comes after the one body of the scene.
  EXPECT_EQ(read("contacts.csv"),
            "a,b,nx,ny,px,py,point_depth,feature,world,kind_a,kind_b,row_a,row_b,key_a,key_b,"
            "body_a,body_b,kept_a,kept_b,frame,name_a,name_b\n"
            "1,2,1,0,1,0,0.5,0,1,circle,circle,1,2,6,7,0,-1,0,0,70,\"ball, red\",\n"
            "2,3,1,0,2.5,0,0,0,1,circle,box,2,0,7,0,-1,3,0,1,70,,\n");

  OutputFile npz("contacts.npz");
  write_contacts_npz(contacts, npz, &sides);
  npz.commit();
  std::string all;
  for (const NamedArray& entry : read_npz("contacts.npz")) all += entry.name + " ";
  EXPECT_EQ(all,
            "pair source normal depth status offset point point_depth feature body world kind row "
            "key kinds kept frame name ");
  const ContactArrays arrays("contacts.npz");
  ContactBuffer<2, double> again;
  ContactSides known;
  EXPECT_EQ(arrays.dimension(), 2);
  EXPECT_EQ(arrays.precision(), Precision::twofold);
  EXPECT_TRUE(arrays.fill(again, known));
  EXPECT_EQ(hash(again), hash(contacts));
  EXPECT_EQ(known.row.row(1), (std::array<std::int32_t, 2>{2, 0}));
  EXPECT_EQ(known.frame[0], 70);
  EXPECT_EQ(word_of(known, 0, 0, 2), "ball, red");
  EXPECT_EQ(word_of(known, 0, 1, 2), "circle 2");
  EXPECT_EQ(word_of(known, 1, 1, 2), "kept box 0");
}

TEST_F(names, files_of_no_contacts_have_the_columns_of_some) {
  const SceneFile scene = load_text("balls.json", kBalls), wall = load_text("wall.json", kWall);
  ContactBuffer<2, double> none;
  const ContactSides sides = sides_of(none.pair, {rows_of(scene), rows_of(wall)});
  OutputFile csv("none.csv");
  write_contacts_csv(none, csv, &sides);
  csv.commit();
  EXPECT_EQ(read("none.csv"),
            "a,b,nx,ny,px,py,point_depth,feature,world,kind_a,kind_b,row_a,row_b,key_a,key_b,"
            "body_a,body_b,kept_a,kept_b,frame,name_a,name_b\n");
  OutputFile npz("none.npz");
  write_contacts_npz(none, npz, &sides);
  npz.commit();
  ContactSides known;
  EXPECT_TRUE(ContactArrays("none.npz").fill(none, known));
  EXPECT_TRUE(known.has_frame && known.has_kept && known.has_name);
  EXPECT_EQ(known.frame.size() + known.kept.size() + known.name.count(), 0u);
  // A scene that has none of them.
  const ContactSides plain =
      sides_of(none.pair, {rows_of(load_text("wall.json", kWall)), std::nullopt});
  EXPECT_FALSE(plain.has_frame || plain.has_kept || plain.has_name);
}

TEST_F(names, contacts_files_without_sides_and_broken_ones) {
  OutputFile npz("old.npz");
  write_contacts_npz(two_contacts(), npz);
  npz.commit();
  ContactBuffer<2, double> again;
  ContactSides sides;
  EXPECT_FALSE(ContactArrays("old.npz").fill(again, sides));
  EXPECT_EQ(hash(again), hash(two_contacts()));
  save(load_text("two.json", kTwo), "scene.npz");
  EXPECT_EQ(error_of([] { ContactArrays("scene.npz"); }),
            "scene.npz: normal is missing; expected contacts as `widephase collide -o` writes "
            "them");
  ContactBuffer<2, double> wrong = two_contacts();
  wrong.offset = {0, 2, 1};
  OutputFile file("wrong.npz");
  write_contacts_npz(wrong, file);
  file.commit();
  EXPECT_EQ(error_of([] { ContactArrays("wrong.npz"); }),
            "wrong.npz: offset is out of order; expected numbers that rise to 2");
}

// Several scenes in one.

SceneFile merged_of(const std::vector<const SceneFile*>& scenes, std::vector<std::string>& notes) {
  return merged("both.npz", scenes, notes);
}

TEST_F(names, scenes_are_joined_without_a_clash_of_numbers) {
  const SceneFile one = load_text("one.json", R"({"dimension": 2,
    "circle": {"center": [[0, 0], [5, 0]], "radius": 1, "owner": [3, -1], "body": [0, 1],
               "name": ["a", "b"]},
    "polygon": {"center": [[0, 9]], "angle": 0, "geometry": 0},
    "polygons": {"vertices": [[0, 0], [1, 0], [0, 1]], "offsets": [0, 3]},
    "bodies": {"position": [[0, 0], [0, 0]]}, "excluded": [[0, 2]]})");
  const SceneFile two = load_text("two.json", R"({"dimension": 2,
    "circle": {"center": [[8, 8]], "radius": 2, "owner": 1, "body": 0, "key": 100, "name": "b"},
    "box": {"center": [[4, 4]], "angle": 0, "half_extents": [[1, 1]]},
    "polygon": {"center": [[9, 9]], "angle": 0, "geometry": 1},
    "polygons": {"vertices": [[0, 0], [1, 0], [0, 1], [0, 0], [2, 0], [0, 2]],
                 "offsets": [0, 3, 6]},
    "bodies": {"position": [[7, 7]], "angle": [1]}, "excluded": [[0, 1]],
    "excluded_owners": [[1, 4]], "excluded_bodies": [[0, 0]]})");
  std::vector<std::string> notes;
  const SceneFile both = merged_of({&one, &two}, notes);
  EXPECT_EQ(numbers<double>(both, "circle.center"), (std::vector<double>{0, 0, 5, 0, 8, 8}));
  // Owners up to 3, so 1 becomes 4 and 4 becomes 7; two bodies, so 0 becomes 2.
  EXPECT_EQ(numbers<std::int32_t>(both, "circle.owner"), (std::vector<std::int32_t>{3, -1, 4}));
  EXPECT_EQ(numbers<std::int32_t>(both, "excluded_owners"), (std::vector<std::int32_t>{4, 7}));
  EXPECT_EQ(numbers<std::int32_t>(both, "circle.body"), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(numbers<std::int32_t>(both, "excluded_bodies"), (std::vector<std::int32_t>{2, 2}));
  EXPECT_EQ(numbers<double>(both, "bodies.position"), (std::vector<double>{0, 0, 0, 0, 7, 7}));
  EXPECT_EQ(numbers<double>(both, "bodies.angle"), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(numbers<std::int32_t>(both, "polygon.geometry"), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(numbers<std::int64_t>(both, "polygons.offsets"),
            (std::vector<std::int64_t>{0, 3, 6, 9}));
  // Ids: circles 0 to 2, the box 3, polygons 4 and 5. The first's (0, 2) is circle 0 and its
  // polygon; the second's (0, 1) its circle and its box.
  EXPECT_EQ(numbers<std::int32_t>(both, "excluded"), (std::vector<std::int32_t>{0, 4, 2, 3}));
  // Keys of the first are its ids, 0 to 2. The second's are 100 and the ids 1 and 2: as 1 is not
  // above 2, all of them move up by 2.
  EXPECT_EQ(numbers<std::int64_t>(both, "circle.key"), (std::vector<std::int64_t>{0, 1, 102}));
  EXPECT_EQ(numbers<std::int64_t>(both, "box.key"), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(texts(both, "circle.name"), (Texts{"a", "b", "b#2"}));
  EXPECT_EQ(notes, Texts{"two.json has 1 name that an input before has: b becomes b#2"});
  SceneColumns<2, double> columns;
  both.to_columns(columns);
  EXPECT_TRUE((validate<2, double>(columns).empty()));
}

TEST_F(names, a_scene_that_names_no_world_is_in_all_worlds_of_the_others) {
  const SceneFile crowd = load_text("crowd.json", R"({"circle": {"center": [[0, 0], [0, 0]],
    "radius": 1, "world": [0, 6]}, "world": {"frame": [0, 1, 2, 3, 4, 5, 9]}})");
  const SceneFile wall = load_text("wall.json", R"({"circle": {"center": [[1, 0]], "radius": 1}})");
  std::vector<std::string> notes;
  const SceneFile both = merged_of({&wall, &crowd}, notes);
  EXPECT_EQ(numbers<std::int32_t>(both, "circle.world"), (std::vector<std::int32_t>{-1, 0, 6}));
  EXPECT_EQ(notes, Texts{"wall.json names no world: its shapes are in all 7 worlds (world -1)"});
  EXPECT_EQ(frames(both).back(), 9);
  EXPECT_EQ(merged_of({&wall, &wall}, notes).find("circle.world"), nullptr);
}

TEST_F(names, bodies_that_are_a_filter_stay_one_beside_bodies_that_carry) {
  // Bodies 7 and 9 of the first carry nothing: beside the second's they become frames at rest.
  const SceneFile one = load_text("one.json", R"({"circle": {"center": [[0, 0], [5, 0], [6, 0]],
    "radius": 1, "body": [9, 7, 9]}})");
  const SceneFile two = load_text("two.json", R"({"circle": {"center": [[1, 0]], "radius": 1,
    "body": 0}, "bodies": {"position": [[2, 0]]}})");
  std::vector<std::string> notes;
  const SceneFile both = merged_of({&one, &two}, notes);
  EXPECT_EQ(numbers<std::int32_t>(both, "circle.body"), (std::vector<std::int32_t>{1, 0, 1, 2}));
  EXPECT_EQ(numbers<double>(both, "bodies.position"), (std::vector<double>{0, 0, 0, 0, 2, 0}));
}

TEST_F(names, scenes_that_contradict_one_another_are_refused_by_both_names) {
  const SceneFile flat = load_text("flat.json", R"({"circle": {"center": [[0, 0]], "radius": 1}})");
  const SceneFile solid =
      load_text("solid.json", R"({"sphere": {"center": [[0, 0, 0]], "radius": 1}})");
  const auto domain = [&](const std::string& path, const std::string& max) {
    return load_text(path, R"({"circle": {"center": [[0, 0]], "radius": 1}, "domain":
      {"min": [0, 0], "max": [)" +
                               max + R"(], "periodic": [1, 1]}})");
  };
  const SceneFile small = domain("small.json", "9, 9"), large = domain("large.json", "99, 99");
  const SceneFile listed = load_text("listed.json", R"({"circle": {"center": [[0, 0], [1, 0]],
    "radius": 1}, "pairs": [[0, 1]]})");
  const auto framed = [&](const std::string& path, const std::string& frame) {
    return load_text(path, R"({"circle": {"center": [[0, 0]], "radius": 1, "world": [0]},
      "world": {"frame": [)" + frame +
                               "]}}");
  };
  const SceneFile early = framed("early.json", "1"), late = framed("late.json", "2");
  const auto error = [](const SceneFile& one, const SceneFile& two) {
    std::vector<std::string> notes;
    return error_of([&] { merged_of({&one, &two}, notes); });
  };
  EXPECT_EQ(error(flat, solid),
            "solid.json: is in 3D and flat.json in 2D; a scene has one dimension");
  EXPECT_EQ(error(small, large),
            "large.json: has another periodic domain than small.json; a scene has one (--periodic "
            "none takes it away)");
  EXPECT_EQ(error(small, flat), "no error");
  EXPECT_EQ(error(flat, listed),
            "listed.json: has pairs of its own and flat.json has none; leave the array `pairs` "
            "out");
  EXPECT_EQ(error(early, late),
            "late.json: has frame 2 in its worlds and early.json has frame 1; world by world they "
            "must be the same");
}

TEST_F(names, options_are_for_the_inputs_that_take_them) {
  write("hand.urdf", kHand);
  write("ball.json", R"({"sphere": {"center": [[0, 0, 0]], "radius": 1}})");
  ReadOptions options;
  options.joints = "0.5";
  std::vector<std::string> notes;
  const std::vector<std::string> inputs{"ball.json", "hand.urdf"};
  EXPECT_EQ(read_scenes(inputs, {}, options, "both.npz", notes).shape_count(), 4u);
  options.style = "sphere";
  EXPECT_EQ(error_of([&] { read_scenes(inputs, {}, options, "both.npz", notes); }),
            "--style is for lammps-data, and ball.json is of the format json; leave --style out");
}

}  // namespace
}  // namespace widephase::tools
