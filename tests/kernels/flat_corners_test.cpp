// Overlapping polygons whose sides are divided by nearly flat corners. Rounding chooses any of
// their edges, but depth, normal and points are still those of the right one. Also shapes with
// edges so short that rounding cannot tell their ends apart.

#include <gtest/gtest.h>

#include "support/overlaps.hpp"
#include "support/pair_kinds.hpp"

namespace widephase::test {
namespace {

/// Checks a pair with its numbers rounded to `T`; all methods must find it in contact.
template <class T>
void check_pair(const Solid<2>& a, const Solid<2>& b) {
  EXPECT_EQ(check_overlaps<T>({{stored<T>(a), stored<T>(b)}}).asked, std::size(kMethods));
}

TEST(flat_corners, a_halfspace_meets_the_deepest_vertex_of_a_side_that_leans) {
  // The lower side leans by 41 degrees, so that its last vertex is the deepest by far; which of its
  // edges looks most into the solid is rounding's choice.
  check_pair<double>(
      polygon({0.38920055945645182, -0.6523098925198576}, -1.8078125533342986,
              {{-1, -0.00041701675386594258},
               {-0.7151285326212895, -0.00041701675386608542},
               {-0.1221859987989774, -0.0004170167538662306},
               {0.19733637615472555, -0.00041701675386622355},
               {0.61181877058153278, -0.00041701675386612548},
               {1, -0.00041701675386594258},
               {1, 0.00041701675386594258},
               {0.45093009819002339, 0.00041701675386617552},
               {0.080922234848413876, 0.00041701675386623304},
               {-0.3555042372913344, 0.00041701675386619802},
               {-1, 0.00041701675386594258}},
              0.69377317371754199),
      halfspace<2>({-0.89232558441350007, -0.4513923475216492}, -0.042225859904829688));
}

TEST(flat_corners, a_side_faces_the_edge_that_lies_over_it) {
  // The upper part of the polygon's left side is chosen; the lower one is over the aabb.
  check_pair<float>(aabb<2>({-0.78326499462127686, -0.57705432176589966},
                            {-0.1795136034488678, -0.0034046848304569721}),
                    polygon({0.03070046566426754, 0.026216441765427589}, 0,
                            {{-1, -1},
                             {1, -1},
                             {1, 1},
                             {0.68157064914703369, 1.0000007152557373},
                             {-1, 1},
                             {-1.0000011920928955, 0.033034272491931915}},
                            0.73583525419235229));
}

TEST(flat_corners, rounded_shapes_whose_cores_are_apart_have_their_point_over_the_edge) {
  check_pair<double>(box({0.25937158758051382, -0.070898837631852452}, 1.0439602647683115,
                         {0.12475823265102143, 0.33615069557232197}, 0.17910889711194611),
                     polygon({0.82151212142557406, -0.35781006179425834}, 0.01388408989617318,
                             {{-1, 0},
                              {-0.44577773314082969, -0.074142941101249304},
                              {0.44330577685814926, -0.028548611623826662},
                              {1, 0},
                              {0.41271357323264635, 0.0074154333188151808},
                              {-0.34861007897448859, 0.003419191699887194}}));
}

TEST(flat_corners, a_vertex_beyond_an_edge_of_the_polytope_does_not_turn_it_round) {
  check_pair<float>(ball<2>({0.86621195077896118, 0.29849249124526978}, 1.3732281923294067),
                    polygon({0.86127829551696777, -0.41304290294647217}, -3.1235475540161133,
                            {{-0.94927263259887695, 0.31445422768592834},
                             {-0.85761147737503052, 0.026758341118693352},
                             {-0.7491917610168457, -0.31353700160980225},
                             {-0.65674269199371338, -0.60370516777038574},
                             {-0.59240514039993286, -0.80564022064208984},
                             {-0.29729640483856201, -0.80732911825180054},
                             {-0.12344797700643539, -0.80832397937774658},
                             {0.28628545999526978, -0.81066864728927612},
                             {0.58314615488052368, -0.81236726045608521},
                             {0.70395427942276001, -0.44767287373542786},
                             {0.82648009061813354, -0.077792510390281677},
                             {0.95280927419662476, 0.30356964468955994},
                             {0.83366674184799194, 0.39117786288261414},
                             {0.64575779438018799, 0.52935159206390381},
                             {0.38467088341712952, 0.72133457660675049},
                             {0.10381381213665009, 0.92785489559173584},
                             {0.0057223611511290073, 0.99998360872268677}}));
  check_pair<double>(box({6.2696886402950076, -0.39138347870421697}, -0.010579600880341822,
                         {3.6018186701219941, 0.69905660624848653}, 1.1607397805947157),
                     polygon({4.5538854533356128, -1.1294875843074104}, -3.5794654601973068,
                             {{-6.8415549842596777, 0},
                              {-5.592270327094778, -1.0911129006446949},
                              {-4.7064719972246589, -1.8647604272894067},
                              {-3.4500817907896888, -2.9620792446003108},
                              {-2.6555056748893953, -3.6560541890861029},
                              {-1.5637766973260738, -4.6095595127889197},
                              {0.99177708241790341, -6.8415549842596777},
                              {2.7089013767361623, -4.8333077530805735},
                              {4.5211698174576096, -2.7137855436082035},
                              {6.8415549842596777, 0},
                              {1.083526390403726, 3.5967130513296084},
                              {-2.7531431494684231, 5.9932623533635363}},
                             3.4918193856363988));
}

/// A regular polygon, a slab or a kite, of any size and thinness. Its sides bulge by a few of the
/// smallest steps, or by up to 2^16 of them, and are divided there.
template <class T>
Solid<2> polygon_of_bulged_sides(Random& random) {
  const double size = random.chance(0.5) ? 1 : std::pow(10.0, random.uniform(-3, 4));
  const double thin = random.chance(0.5) ? 1 : std::pow(10.0, random.uniform(-4, 0));
  std::vector<Point<2>> base;
  switch (random.integer(0, 2)) {
    case 0:
      for (const Point<2>& v : regular(random.integer(3, 8), 1, random.uniform(0, 6))) {
        base.push_back({v[0], v[1] * thin});
      }
      break;
    case 1:
      base = {{-1, -thin}, {1, -thin}, {1, thin}, {-1, thin}};
      break;
    default:
      base = {{-1, 0},
              {random.uniform(-1, 1), -thin},
              {1, 0},
              {random.uniform(-1, 1), thin * random.uniform(0.01, 1)}};
  }
  const double bulge = std::numeric_limits<T>::epsilon() * std::pow(2.0, random.uniform(-1, 16));
  const int most_parts = random.chance(0.5) ? 2 : 7;
  std::vector<Point<2>> vertices;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const Point<2>&p = base[i], &q = base[(i + 1) % base.size()];
    const int parts = random.integer(1, most_parts);
    for (int k = 0; k < parts; ++k) {
      const double share = k == 0 ? 0 : (k + random.uniform(-0.3, 0.3)) / parts;
      const double out = bulge * 4 * share * (1 - share);
      vertices.push_back({size * (p[0] + share * (q[0] - p[0]) + out * (q[1] - p[1])),
                          size * (p[1] + share * (q[1] - p[1]) - out * (q[0] - p[0]))});
    }
  }
  const double radius = random.chance(0.7) ? 0 : size * random.uniform(0, 1);
  const double angle = random.chance(0.3) ? 0 : random.uniform(-4, 4);
  return polygon(random.point<2>(-size, size), angle, strictly_convex(vertices), radius);
}

template <class T>
void check_bulged_sides() {
  Random random(1);
  std::vector<SolidPair<2>> pairs;
  for (const Kind kind : kinds(2)) {
    for (std::size_t i = 0; i < scaled(1000, 100); ++i) {
      const Solid<2> bulged = polygon_of_bulged_sides<T>(random);
      double extent = 0;
      for (const Point<2>& v : bulged.vertices) {
        extent = std::max(extent, std::max(std::abs(v[0]), std::abs(v[1])));
      }
      const Solid<2> other = kind == Kind::polygon
                                 ? polygon_of_bulged_sides<T>(random)
                                 : random_solid<2>(random, kind, random.point<2>(-extent, extent),
                                                   extent * random.uniform(0.1, 2));
      const SolidPair<2> pair =
          kind == Kind::halfspace ? SolidPair<2>{bulged, other} : SolidPair<2>{other, bulged};
      pairs.push_back({stored<T>(pair.a), stored<T>(pair.b)});
    }
  }
  EXPECT_GT(check_overlaps<T>(pairs).asked, 4 * scaled(1000, 100));
}

TEST(short_edges, the_other_side_of_a_core_is_not_past_its_end) {
  // A capsule of one float's length, 1 beside the polygon: it leaves by 0.25, not the other way.
  check_pair<float>(
      polygon(
          {-0.5, -0.99999397993087769}, 2.5561707843735348e-06,
          {{-0.5, -0.25}, {0.49999374151229858, -0.25}, {0.5, 0.25}, {-0.5, 0.24999211728572845}},
          0.5),
      capsule<2>({1, -0.7499997615814209}, {1, -0.74999988079071045}, 0.75));
}

TEST(short_edges, of_two_sides_that_look_alike_the_farther_one_is_the_reference) {
  // A box without a width ends 4.5e-5 beside the other's corner.
  check_pair<float>(box({-0.25, -1.0000008344650269}, 3.1414089202880859, {0, 0.25}),
                    box({-0.49999934434890747, 0.25}, 0, {0.25, 1}, 0.5));
}

TEST(short_edges, a_vertex_over_a_side_of_no_more_than_rounding_is_not_at_its_end) {
  check_pair<double>(box({-0.50000000067001904, 0.99997293547898014}, 3.1415926535897931,
                         {7.0670377972278038e-10, 0.75000021901765879}, 0.75),
                     polygon({-0.5, -0.75000780571299575}, -2.3561944901923448,
                             {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, 0.75));
}

TEST(short_edges, a_small_polygon_far_away_turns_no_normal) {
  // A triangle of a thousandth, 430 beyond a circle of 3,000.
  const std::vector<SolidPair<2>> pairs{
      {stored<float>(ball<2>({0.67974531650543213, -0.6031072735786438}, 2954.619384765625)),
       stored<float>(polygon({249.57334899902344, 3376.148681640625}, 3.4117217063903809,
                             {{0.00061006046598777175, -0.00058307225117459893},
                              {-0.00048933725338429213, 0.0010874019935727119},
                              {-0.00056309637147933245, -0.00013865358778275549}}))}};
  EXPECT_EQ(check_overlaps<float>(pairs).asked, 0u);
  const PairScene<2, float> input(pairs);
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  CollideOptions options;
  options.method = Method::gjk_epa;
  collide_pairs<2, float>(input.scene, input.pairs, contacts, workspace, options);
  EXPECT_EQ(contacts.size(), 0u);
}

TEST(flat_corners, bulged_sides_float) { check_bulged_sides<float>(); }
TEST(flat_corners, bulged_sides_double) { check_bulged_sides<double>(); }

}  // namespace
}  // namespace widephase::test
