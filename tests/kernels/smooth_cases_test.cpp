// Ellipsoids and cones where the features that meet were once missed: level rims, rings of equal
// exits, slivers, lines that are nearly parallel, needles.
// Labels: own-sets valgrind

#include <gtest/gtest.h>

#include <set>

#include "support/generate.hpp"
#include "support/methods.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

const Quaternion kUpright{0, 0, 0, 1};

/// The vertices of a needle of 1.7 by 0.002 by 0.002. Its edges have nearly one direction.
const std::vector<Point<3>> kSliver{
    {0.00080247118603438139, -0.65589654445648193, -0.00039571680827066302},
    {-0.00096207798924297094, -0.2260061651468277, 6.7512854002416134e-05},
    {0.0005316229653544724, -0.40932628512382507, -0.00035245521576143801},
    {0.00069287919905036688, 0.61936420202255249, 0.00081877037882804871},
    {0.00097135553369298577, 0.20853056013584137, 0.00054587359772995114},
    {-0.00031682595727033913, 0.73161035776138306, 0.00010451942216604948},
    {0.00011424881813582033, -0.9349895715713501, -0.00013387051876634359},
    {0.00074134726310148835, 0.67357355356216431, 0.00047690997598692775}};

const auto kNoMore = [](const auto&) {};

/// The pair's contact, on every instruction set, is right by the reference; `check(contact)`
/// checks more.
template <class T, class Check>
void expect_right(const Solid<3>& a, const Solid<3>& b, const Check& check, double margin = 0) {
  const PairScene<3, T> input({{a, b}});
  for (const Isa isa : usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    options.margin = margin;
    ContactBuffer<3, T> contacts;
    Workspace<3, T> workspace;
    collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 1u);
    const SolidPair<3> pair{stored<T>(a), stored<T>(b)};
    const Contact<3, T> contact = contact_at(contacts, 0);
    EXPECT_NE(contact.status, 2) << describe(contact);
    EXPECT_EQ(
        (contact_problem<3, T>(pair.a, pair.b, reference_of(pair.a, pair.b), margin, contact)), "")
        << describe(contact);
    check(contact);
  }
}
template <class T>
void expect_right(const Solid<3>& a, const Solid<3>& b) {
  expect_right<T>(a, b, kNoMore);
}

/// Also the deepest point and its partner are on the cores, to rounding.
void expect_deepest_on_cores(const Solid<3>& a, const Solid<3>& b) {
  const auto check = [&](const Contact<3, float>& contact) {
    std::size_t deepest = 0;
    while (contact.point_depths[deepest] != contact.depth) ++deepest;
    const Vec<3>& point = contact.points[deepest];
    const Vec<3> on_a = plus(point, contact.normal, -radius_of(a));
    const Vec<3> on_b = plus(point, contact.normal, radius_of(b) - contact.depth);
    EXPECT_LT(distance_to_core_surface(a, on_a), 1e-5) << describe(contact);
    EXPECT_LT(distance_to_core_surface(b, on_b), 1e-5) << describe(contact);
  };
  expect_right<float>(a, b, check, 0.25);
}

/// A line along x, 0.37 below the base of an upright cone of radius 0.25, passes its rim at a
/// distance `past`. So the normal leans from z to the rim by past : 0.37.
template <class T>
void expect_to_lean(double past) {
  const Solid<3> line = capsule<3>({-1, 0.25 + past, -0.37}, {1, 0.25 + past, -0.37}, 0.125);
  const Solid<3> above = cone({0, 0, 0.5}, kUpright, 0.5, 0.25, 0.25);
  const double distance = std::sqrt(past * past + 0.37 * 0.37);
  const double near = sizeof(T) == 4 ? 1e-6 : 1e-14;
  expect_right<T>(line, above, [&](const Contact<3, T>& contact) {
    EXPECT_NEAR(contact.depth, 0.375 - distance, near);
    EXPECT_NEAR(contact.normal[0], 0, near);
    EXPECT_NEAR(contact.normal[1], -past / distance, near);
    EXPECT_NEAR(contact.normal[2], 0.37 / distance, near);
  });
}

TEST(smooth_cases, a_line_past_a_level_rim_leans_to_it) {
  for (const double past : {0x1p-9, 0x1p-12, 0x1p-6}) {
    expect_to_lean<float>(past);
    expect_to_lean<double>(past);
  }
  expect_to_lean<double>(0x1p-30);
}

TEST(smooth_cases, a_ring_of_equal_exits_hides_no_shorter_one_along_the_axis) {
  // A capsule along x in an ellipsoid that is thin along x. Across, in every direction: 0.8848 +
  // 0.5197 + 0.3870 = 1.7915. Along x: 0.4460 + 0.8848 + 0.1420 + 0.3870 - 0.0685 = 1.7913.
  const Solid<3> line =
      capsule<3>({-0.44604316960713686, 0, 0}, {0.44604316960713686, 0, 0}, 0.88479698418890029);
  const Solid<3> disc = ellipsoid(
      {0.068504168522422595, 0, 0},
      {-0.41859325226464306, 0.56989445440231201, -0.41859325226464306, 0.56989445440231201},
      {0.51967768768493261, 0.51967768768493261, 0.1419921086659183}, 0.38702666125686741);
  expect_right<float>(line, disc);
  expect_right<double>(line, disc, [](const Contact<3, double>& contact) {
    EXPECT_NEAR(std::abs(contact.normal[0]), 1, 1e-12);
  });
}

TEST(smooth_cases, an_edge_of_a_sliver_is_not_the_one_beside_it) {
  // Under a cone's base.
  const Solid<3> sliver = hull({0.74941438436508179, 1.7020070552825928, 1.6431241035461426},
                               about({1, 0, 0}, 4 * kEighthTurn), kSliver);
  const Solid<3> above = cone(
      {1.0837321281433105, 0.79099124670028687, 2.5015039443969727},
      {-2.3620982947392122e-09, 5.9956960285489913e-07, -0.86090528964996338, 0.50876522064208984},
      0.93707561492919922, 0.51936107873916626);
  expect_right<float>(sliver, above);
}

TEST(smooth_cases, lines_that_are_nearly_parallel_cross_once) {
  // A segment of 0.0008 nearly along the axis of a cone of 1.4 by 0.002.
  const Solid<3> line = capsule<3>({-1.989865703525973, 0.27691529669076032, 1.3260908476169491},
                                   {-1.990552271782811, 0.27682033953467877, 1.3263414397732596},
                                   0.50457788158167893);
  const Solid<3> around =
      cone({-1.9902091100427783, 0.27686776631340448, 1.3262161272871211},
           {0.17935220079658534, 0.54591540718342746, -0.35772204416361103, -0.73610060140484967},
           0.70695714013442945, 0.002430865067735636, 0.25273718646701293);
  expect_right<double>(line, around);
}

TEST(smooth_cases, sides_of_cones_of_the_same_slope_cross_where_a_search_sees_a_ring) {
  // Two concentric cones of slope 1 : 2, one nine times as large, their axes opposite to 4e-4 rad.
  const Solid<3> small =
      cone({0, 0, 0},
           {0.32036264816779852, 0.63051653512432277, 0.63026534975264692, -0.3202846766434943},
           0.00011288672699746385, 0.00011288672699746385, 0.1265128428683851);
  const Solid<3> large = cone({0, 0, 0}, about({1, 0, 0}, 2 * kEighthTurn), 0.0010663501859167097,
                              0.0010663501859167097, 0.17271772334688495);
  expect_right<double>(small, large);
}

TEST(smooth_cases, sides_of_cones_that_are_coaxial_but_for_3e_8_rad_cross) {
  // As above, but 81 times as large, and the plane of both axes is known to 1e-8 alone.
  const Point<3> middle{1.9810264209501223, 1.4329964485494884, 1.8063942191771338};
  const Solid<3> large = cone(
      middle, {0.18687106700280601, -0.68196716259795609, 0.68196714878701103, 0.18687108238205377},
      0.0043436346160231057, 0.0043436346160231057);
  const Solid<3> small = cone(middle, {-0.70710678118654746, 0, 0, 0.70710678118654746},
                              5.3504894313566048e-05, 5.3504894313566048e-05, 0.045394625173328242);
  expect_right<double>(large, small);
}

TEST(smooth_cases, a_sliver_across_an_ellipsoid_leaves_by_its_nearest_face) {
  // A needle of 1.7 by 0.002 by 0.002 along the axis that the ellipsoid is round about. Around it
  // all exits are equal to 0.0009, and each face of the needle has a least one.
  const Solid<3> disc = ellipsoid(
      {-1.3221732257419996, -1.9880027269753455, 0.90411054305364402},
      {0.55970116329402875, 0.39805109829340657, -0.7033612451231005, 0.18322906377975459},
      {0.95510327615830459, 0.95510327615830459, 0.62543629325436367});
  const Solid<3> sliver =
      hull({-1.3221732267727488, -1.9880027261374797, 0.90411054510298472},
           {-0.77881613691237872, 0.26620597449408001, -0.52533100151233381, -0.21588687518833713},
           {{0.00076964514673452742, 0.082252874142535334, 0.00063315149277505469},
            {-0.00020800530481089501, 0.56024180962387971, 0.00080178732087747995},
            {0.00010525041263404972, 0.86423910037916896, -0.00049194829811288808},
            {0.000353303780284189, 0.52016885482803299, -0.00077756080231953194},
            {0.00045840715080413028, -0.85738224305572475, -0.00023400549861995497},
            {-0.00058669667598653871, -0.30839147861505128, -0.00074878682300369632},
            {-0.00091937763244747219, -0.11835092140774803, -0.00037515040764634375},
            {0.0002834341277968368, -0.43425363563516411, -0.00085503735306575275},
            {0.00030394918882935984, -0.10761108140278075, -0.00094659111857723363},
            {0.00071953945142242217, 0.65282024573111441, -0.00023683053985980657},
            {0.00069827687147727051, -0.69675212114720031, 0.00016415204061111317}},
           0.38501979059894398);
  expect_right<double>(disc, sliver, [](const Contact<3, double>& contact) {
    EXPECT_NEAR(static_cast<double>(contact.depth), 1.3404365314581383, 1e-11);
  });
}

TEST(smooth_cases, flush_caps_beside_one_another_meet_at_their_rims) {
  // Needles end to end, parallel to 3e-8. Between their bases there is 0.337 along the axis, and
  // 0.0008 across it.
  const Solid<3> needle =
      cone({-0.48368561267852783, -1.4083263874053955, -0.21204431354999542},
           {0.037243694067001343, 0.75446790456771851, -0.62967449426651001, -0.18138672411441803},
           0.78436273336410522, 0.00013366079656407237, 0.10822503268718719);
  const Quaternion turn{-0.02618728019297123, 0.65475594997406006, 0.70433056354522705,
                        0.27299690246582031};
  const double half_height = 0.38215112686157227, radius = 0.00066433683969080448;
  const auto check = [](const Contact<3, float>& contact) {
    // The axis has 0.3206.
    EXPECT_NEAR(std::abs(static_cast<double>(contact.normal[0])), 0.32275, 1e-4);
  };
  expect_right<float>(needle, cone({0, 0, 0}, turn, half_height, radius), check, 0.25);
  expect_right<float>(cylinder({0, 0, 0}, turn, half_height, radius), needle, check, 0.25);
}

TEST(smooth_cases, an_apex_over_the_rim_of_a_disc_that_its_side_is_level_with) {
  const double turn = std::acos(-1.0) / 4;
  const Solid<3> disc =
      cone({0.25, -0.75, -0.75}, {std::cos(turn / 2), 0, 0, -std::sin(turn / 2)}, 0, 0.75);
  const Solid<3> above = cone({0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5, -0.5}, 0.5, 1);
  const auto check = [](const auto& contact) {
    EXPECT_NEAR(static_cast<double>(contact.points[0][0]), 0.5, 1e-6);
  };
  expect_right<float>(disc, above, check, 0.5);
  expect_right<double>(disc, above, check, 0.5);
}

TEST(smooth_cases, an_apex_beside_a_large_rim_is_led_to_the_point_of_the_rim_beside_it) {
  // Cones of 0.05 and 130: the apex of the small one is 0.015 from the rim, 0.004 outside of it and
  // below the base. About the base's normal the depth falls within 0.008 rad of that point alone.
  const Solid<3> small =
      cone({0.24114874005317688, -0.45652869343757629, -0.28676110506057739},
           {-0.24693912267684937, -0.90336507558822632, 0.03596767783164978, -0.34879636764526367},
           0.048123013228178024, 0.031453438103199005, 0.015064203180372715);
  const Solid<3> large =
      cone({76.482002258300781, -98.009956359863281, 53.755813598632812},
           {-0.29929515719413757, -0.72457903623580933, -0.37313681840896606, -0.4961618185043335},
           35.636699676513672, 130.28765869140625);
  expect_right<float>(small, large, kNoMore, 0.25);
  expect_right<double>(small, large, kNoMore, 0.25);
}

TEST(smooth_cases, a_cap_is_left_where_its_rim_leaves_a_needle_nearly_as_soon) {
  // The exits along the cap and over its rim are 0.13 rad apart: 0.3485 and 0.3495.
  const Quaternion up{0.41901051998138428, 0.15171492099761963, -0.85470759868621826,
                      0.26624733209609985};
  const Solid<3> round = cylinder({1.8876831531524658, -0.98214393854141235, -0.97868996858596802},
                                  up, 0.37569966912269592, 0.57049399614334106);
  const Solid<3> needle = ellipsoid(
      {1.8909989595413208, -0.8054472804069519, -0.98427248001098633},
      {-0.46099609136581421, -0.055719468742609024, 0.61239767074584961, -0.63980233669281006},
      {0.0016474658623337746, 0.4826296865940094, 0.0010171718895435333});
  expect_right<float>(round, needle);
  expect_right<double>(round, needle);
}

TEST(smooth_cases, a_sphere_within_rounding_of_a_cones_axis_has_a_unit_normal) {
  // 4.5e-6 below the cone's middle; what rounding leaves across the axis has no square in float.
  const Solid<3> small = ball<3>({0, 0, 0}, 0.00013891499838791788);
  const Solid<3> around = cone(
      {0, 0, 4.5243828026286792e-06},
      {9.6181021294644331e-18, 6.0472236438216065e-17, -0.9875866174697876, 0.15707552433013916},
      0.00046731744077987969, 0.00078482786193490028);
  expect_right<float>(small, around, [](const Contact<3, float>& contact) {
    double square = 0;
    for (int k = 0; k < 3; ++k)
      square += static_cast<double>(contact.normal[k] * contact.normal[k]);
    EXPECT_NEAR(square, 1, 1e-6);
  });
}

TEST(smooth_cases, a_flat_ellipsoid_leaves_an_edge_by_the_vertex_where_that_is_shorter) {
  // Across the disc a box's vertex is 7e-8 less deep than the edge beside it.
  const Solid<3> block =
      box({-1.1611461084191941, -1.1962045480605945, 0.72466486609055769},
          {-0.11960303252389728, -0.66704480461580384, -0.58118087520974437, 0.45052761684117359},
          {0.77392759605796946, 0.59689844256537183, 0.98689825468673154}, 0.15448521073640686);
  const Solid<3> disc = ellipsoid(
      {-0.39902308037594736, -1.6962158530634315, 0.62768889827561791},
      {-0.71123479234531217, -0.55214287992787725, -0.42011503839911191, -0.11307813587685024},
      {0, 0.92676149165944099, 0.47398968196286639}, 0.090823489543935584);
  expect_right<double>(block, disc);
}

TEST(smooth_cases, a_needle_along_a_cylinder_meets_the_line_of_its_normal) {
  // The needle's middle is 0.02 beyond the cylinder's end, on its axis. The deepest point is on the
  // line of the side that faces along the normal.
  const Quaternion along{0.30094507336616516, 0.95086908340454102, 0.046878542751073837,
                         0.055519506335258484};
  const Point<3> middle{1.221057653427124, 1.6827535629272461, -0.041565913707017899};
  const double radius = 0.23362460732460022;
  const Solid<3> round = cylinder(middle, along, 0.24221052229404449, radius);
  const Solid<3> needle = ellipsoid(
      {1.2564318180084229, 1.6974886655807495, -0.30315649509429932},
      {0.06166655570268631, 0.038434997200965881, -0.98419076204299927, -0.16151927411556244},
      {2.6730916943051852e-05, 2.6730916943051852e-05, 0.61792385578155518}, 0.25591954588890076);
  expect_right<float>(round, needle, [&](const Contact<3, float>& contact) {
    double out = 0;
    for (int k = 0; k < 3; ++k) {
      out += (static_cast<double>(contact.points[0][k]) - middle[k]) * contact.normal[k];
    }
    EXPECT_NEAR(out, radius, 1e-5);
  });
}

TEST(smooth_cases, a_line_that_passes_a_level_rims_axis_closely_meets_the_rim_far_from_there) {
  // The cylinder's axis is parallel to the cone's base but for 7e-11 rad, and the normal leans from
  // the base's by 0.027 rad, 4e8 times as far as the circle of the line's normals passes it.
  const Solid<3> above =
      cone({2.1255253261319815, 2.1041711595297237, 0.14077957548485864},
           {-0.51852982243695556, -0.021376950134085096, -0.5336579420561246, 0.6677417540688062},
           0.6812589083635131, 0.67339158320920023);
  const Solid<3> round = cylinder(
      {1.5791296224069149, 0.93419466428694564, 0.33327148801595197},
      {-0.60835727511244508, -0.47487578067214214, 0.10977120504646559, 0.62637425018229398},
      0.79885795795721892, 0.26160150598080079, 0.092020029753261276);
  expect_right<double>(
      above, round,
      [](const Contact<3, double>& contact) {
        EXPECT_NEAR(static_cast<double>(contact.normal[0]), -0.53677223882377332, 1e-13);
        EXPECT_NEAR(static_cast<double>(contact.normal[1]), -0.72150348351006800, 1e-13);
        EXPECT_NEAR(static_cast<double>(contact.normal[2]), -0.43738802785507415, 1e-13);
      },
      0.25);
}

TEST(smooth_cases, a_disc_seen_nearly_from_its_edge_meets_a_rim_where_the_distance_is_least) {
  // A plate of 0.26 by 0.0004, in whose plane the normal lies but for 0.007.
  const Solid<3> disc =
      cone({0.46311363577842712, -0.071543239057064056, -0.17556661367416382},
           {-0.24674144387245178, -0.30169638991355896, 0.83425045013427734, 0.39003089070320129},
           0.0001917726913234219, 0.25678122043609619, 0.29907402396202087);
  const Solid<3> above =
      cone({1.7199362516403198, 0.69652080535888672, 1.6626194715499878},
           {0.36199769377708435, 0.2637847363948822, 0.77990609407424927, 0.43717479705810547},
           0.76848000288009644, 0.60406917333602905, 0.26095852255821228);
  const auto check = [](const Contact<3, float>& contact) {
    std::size_t deepest = 0;
    while (contact.point_depths[deepest] != contact.depth) ++deepest;
    EXPECT_NEAR(static_cast<double>(contact.points[deepest][0]), 0.833188, 2e-6);
    EXPECT_NEAR(static_cast<double>(contact.points[deepest][1]), 0.0523010, 2e-6);
    EXPECT_NEAR(static_cast<double>(contact.points[deepest][2]), 0.220261, 2e-6);
  };
  expect_right<float>(disc, above, check, 1);
}

TEST(smooth_cases, caps_a_hair_apart_and_tilted_as_little_meet_where_their_rims_cross) {
  // Bases that face each other, 6e-11 apart where they are nearest and tilted by 1e-9 rad.
  const Solid<3> large =
      cone({0, 0, 0},
           {-0.037999935566223851, 0.11719293563648221, -0.44982660316619333, 0.88457777940542348},
           0.66143799191153685, 0.53134532099936027);
  const Solid<3> small =
      cone({-0.069366522611793449, -0.356869849591331, -0.82874126387379887},
           {-0.98807809554225712, -0.092322791328745227, 0.11936814968068389, 0.030486458513001045},
           0.14526477345148603, 0.30422336007123985);
  const auto check = [](const Contact<3, double>& contact) {
    EXPECT_NEAR(static_cast<double>(contact.depth), -5.95515877e-11, 1e-15);
  };
  expect_right<double>(large, small, check, 0.25);
  expect_right<double>(small, large, check, 0.25);
}

TEST(smooth_cases, a_small_cylinder_over_a_flat_ellipsoid_is_nearly_a_point) {
  // A plate of 0.19 by 5e-5 under a cylinder of 0.002: as the normal turns by the cylinder's tilt
  // of 1.6e-4, the plate's point moves by 60 times the cylinder.
  const Solid<3> plate = ellipsoid(
      {1.7768194675445557, 1.8239680528640747, 1.2239669561386108},
      {0.24946048855781555, -0.43272203207015991, -0.00070737500209361315, 0.86632591485977173},
      {0.19473952054977417, 0.19473952054977417, 4.954094038112089e-05});
  const Solid<3> above = cylinder(
      {1.7749181985855103, 1.8228737115859985, 1.2252373695373535},
      {-0.13655476272106171, -0.85552167892456055, -0.3142610490322113, -0.38816928863525391},
      0.0020827183034271002, 0.0020827183034271002);
  const auto check = [](const auto& contact) {
    EXPECT_NEAR(static_cast<double>(contact.depth), -0.000402431082, 1e-8);
  };
  expect_right<float>(plate, above, check, 0.25);
  expect_right<double>(plate, above, check, 0.25);
}

TEST(smooth_cases, rims_of_caps_tilted_by_3e_8_rad_meet_at_one_place) {
  // The direction is exact to rounding, which leaves the place on the rims open by 1.5e-9.
  const Solid<3> round =
      cylinder({-1.5966794863272522, -1.267155152659218, -0.31714337667465342},
               {0.82516503682097631, 0.33387988154842918, 0.15882574634507807, 0.42708461574186063},
               0.21412223514590889, 0.65708133823327941, 0.33093253908354098);
  const Solid<3> above =
      cone({-2.2595667066005407, -0.18265762549813225, -0.10484294691796481},
           {0.048800548318690455, -0.45304017914842715, -0.71757820341449752, 0.52673961740634057},
           0.59125646566958845, 0.33294031766321697);
  const auto check = [&](const Contact<3, double>& contact) {
    std::size_t deepest = 0;
    while (contact.point_depths[deepest] != contact.depth) ++deepest;
    // Either surface's point; the depth is 2.6e-10.
    EXPECT_NEAR(contact.points[deepest][0], -2.2090187945, 3e-10);
    EXPECT_NEAR(contact.points[deepest][1], -0.7108315244, 3e-10);
    EXPECT_NEAR(contact.points[deepest][2], -0.5278213200, 3e-10);
  };
  expect_right<double>(round, above, check);
  expect_right<double>(above, round, check);
}

TEST(smooth_cases, a_flat_cone_leaves_a_tip_on_the_less_deep_side_of_its_apex) {
  // An ellipsoid's tip on the apex of a cone of 0.86 by 0.0006. The normals of the cone's side are
  // on a circle of 0.0007 rad; the depth has two minima around it, which differ by 6e-10.
  const Solid<3> flat =
      cone({1.2385151000134791e-08, 1.993460639401642e-08, -5.2263207418610412e-07},
           {0.46369729833902523, -0.45697956356411856, 0.64235169634087586, -0.40439929797891128},
           0.00030160512210384124, 0.8637230444399564);
  const Solid<3> tip = ellipsoid(
      {0, 0, 0},
      {-0.2520574184336441, -0.60026043134822105, -0.13688130409726815, -0.74660430012078405},
      {0.0033173935028481785, 0.24679661904040151, 0.81586982453463663});
  expect_right<double>(flat, tip);
  expect_right<double>(tip, flat);
  // As above; the minima differ by 9e-9.
  const Point<3> middle{0.81815753295588367, 1.5452871539875805, 1.208243748374318};
  const Solid<3> wide = cone(
      middle,
      {0.99959496579380058, -0.028458818342689946, -3.5071396000265243e-06, 2.4348232016798453e-06},
      0.00036914366318929542, 0.84368909352532651, 0.12429166067274577);
  const Solid<3> upright =
      ellipsoid(middle, kUpright, {0.0020389264832042274, 0.50915869879323339, 0.72210022766496229},
                0.055007982487881614);
  expect_right<double>(wide, upright);
  expect_right<double>(upright, wide);
}

TEST(smooth_cases, sides_of_cones_that_cross_twice_leave_by_the_less_deep_crossing) {
  // Concentric but for 7e-9, their axes perpendicular: two normals 0.048 rad apart are on both
  // sides, and the depths along them differ by 2.4e-10.
  const Solid<3> high =
      cone({0, 0, 0},
           {0.082274078069491358, 0.034448142060484785, 0.38037472205145745, 0.92052125038516763},
           0.99986737394721525, 1.0008036329115317, 0.12993914772256884);
  const Solid<3> low =
      cone({6.5970495050046871e-09, -1.2938955708053374e-09, 2.2181743622970239e-09},
           {0.67436095422281583, -0.21171215410186703, -0.32843437423184307, 0.62653501821380919},
           0.22302652280810023, 0.8896560884318101, 0.30511619541558421);
  const auto check = [](const auto& contact) {
    EXPECT_NEAR(static_cast<double>(contact.depth), 1.0819155504301401, 1e-12);
  };
  expect_right<double>(high, low, check);
  expect_right<double>(low, high, check);
}

TEST(smooth_cases, points_of_a_line_over_an_edge_have_names_of_their_own) {
  // A cone's side passes an edge of a hull. The point that the search has found there is 4e-5 from
  // where the line enters the hull's face; both are the edge over the line.
  const Solid<3> round =
      cone({0.41913884878158569, -0.82594650983810425, -2.235908031463623},
           {-0.35168808698654175, -0.5213589072227478, -0.51816070079803467, 0.57967960834503174},
           0.14811308681964874, 0.27053433656692505, 0.080701977014541626);
  const Solid<3> block =
      hull({0.83753764629364014, -0.0915946364402771, -1.4130178689956665},
           {-0.74268257617950439, -0.18565270304679871, -0.28509160876274109, -0.57678282260894775},
           {{-0.49121394753456116, 0.72718942165374756, -0.47948345541954041},
            {-0.83286470174789429, -0.51676923036575317, 0.19820685684680939},
            {-0.81272786855697632, 0.49255254864692688, 0.31123208999633789},
            {0.97783291339874268, 0.14372508227825165, 0.15226899087429047}},
           0.040401853621006012);
  expect_right<float>(
      round, block,
      [](const Contact<3, float>& contact) {
        const std::set<std::uint32_t> names(contact.features.begin(), contact.features.end());
        EXPECT_EQ(names.size(), contact.features.size()) << describe(contact);
      },
      0.25);
}

TEST(smooth_cases, a_small_cone_along_a_needle_meets_it_at_its_rim) {
  // The needle's point moves far along it as the normal turns, but across it less than the rim's.
  // Both needles are along x, thinner than 1e-4.
  const auto check = [](const Contact<3, float>& contact) {
    for (const Vec<3>& point : contact.points) {
      EXPECT_LT(std::abs(static_cast<double>(point[1])), 2e-4) << describe(contact);
    }
  };
  const Solid<3> small = cone(
      {0, 0, -0.16005511581897736},
      {0.35291284322738647, 0.93565618991851807, 2.1452437692914827e-07, -1.7342530327368877e-06},
      0.00096215325174853206, 0.00096215325174853206, 0.26938289403915405);
  const Solid<3> along = ellipsoid(
      {0, 0, 0}, kUpright, {0.38406738638877869, 9.7507414466235787e-05, 9.7507414466235787e-05},
      0.29857704043388367);
  expect_right<float>(small, along, check, 0.25);
  const Solid<3> flat =
      ellipsoid({0, 0, 0}, about({0, 0, 1}, 2 * kEighthTurn),
                {4.4967742724111304e-05, 0.21276476979255676, 4.4967742724111304e-05});
  const Solid<3> below = cone(
      {5.0533853936940432e-06, 2.0168677110632416e-06, -0.54119163751602173},
      {0.99996441602706909, 0.0084378933534026146, 1.8262005596625386e-07, 1.7372420302308456e-07},
      0.46748673915863037, 0.00014964434376452118, 0.060648247599601746);
  expect_right<float>(flat, below, check, 0.25);
}

TEST(smooth_cases, a_flat_cone_leaves_by_its_side_also_from_a_start_below_its_base) {
  // Within 0.1 rad of the base's normal, a side of 0.00035 rad is tried too: its circle is on the
  // other side, and has two minima that differ by 5e-10.
  const Solid<3> flat = cone(
      {-7.4156157614249802e-07, -3.1011128410479091e-07, -9.1223083372873862e-08},
      {2.5251906002316749e-09, -1.067776681499878e-08, 0.66122309685395853, 0.75018932022980722},
      0.00016695508671466018, 0.95269962478277781);
  const Solid<3> tip = ellipsoid({0, 0, 0}, kUpright,
                                 {0.0084769809307420809, 0.99165183559803161, 0.44232128656807923});
  expect_right<double>(flat, tip);
  expect_right<double>(tip, flat);
}

TEST(smooth_cases, a_rim_seen_from_its_side_is_round_between_its_sampled_points) {
  // A disc of 1e-4 about a needle, both upright: the exit is across the needle's side, to the
  // middle between two of the disc's sixteen points. The disc's base is seen at 1e-3 from its edge.
  const Solid<3> disc = cone({0, 0, 0}, kUpright, 0.00010445230142115511, 0.4315926290578268);
  const Solid<3> needle = cone({0, 0, 0}, {0, 0, 0.76262028053227005, 0.64684643287327626},
                               0.52091917279605071, 0.00097675861708066921, 0.23544884781978462);
  expect_right<double>(needle, disc);
  expect_right<double>(disc, needle);
}

TEST(smooth_cases, an_edge_beside_a_slivers_level_edge_is_not_level) {
  // Seen along the normal of a cone's base, one edge of the sliver is level, and edges from its
  // ends lag by 1e-4. One of these meets the base's rim.
  const Solid<3> sliver =
      hull({-1.8320190906524658, -1.1483141183853149, -0.74282240867614746},
           {0.32106184959411621, 0.48102521896362305, 0.70242601633071899, -0.41488754749298096},
           kSliver, 0);
  const Solid<3> round =
      cone({-1.4622154235839844, -1.9215073585510254, -0.5960993766784668},
           {0.75749880075454712, -0.30304819345474243, 0.18510720133781433, 0.54780715703964233},
           0.55780476331710815, 0.94954580068588257, 0.10214940458536148);
  expect_deepest_on_cores(sliver, round);
  expect_deepest_on_cores(round, sliver);
}

TEST(smooth_cases, a_needle_leaves_a_cones_side_over_the_least_of_its_edges) {
  // A box of 1.4 by 0.0005 by 0.0005 along the cone's axis, 1e-5 beside it. Around the axis all
  // exits are equal to 2e-4, and each of the four edges across it has a least one.
  const Solid<3> around = cone(
      {-3.8873605366973455e-07, -1.1383110723957805e-05, -1.2234244449787288},
      {1.1692338886084554e-09, -2.3403887326306299e-10, 0.72691915083529801, 0.68672305054431448},
      3.5415987393896047, 3.3316454366644921, 0.81699095394190446);
  const Solid<3> needle = box({0, 0, 0}, kUpright,
                              {0.00026205604622410412, 0.00026205604622410412, 0.71895752750361885},
                              0.24960292866629141);
  const auto check = [](const Contact<3, double>& contact) {
    EXPECT_NEAR(contact.depth, 2.3595065586334571, 1e-12);
  };
  expect_right<double>(around, needle, check);
  expect_right<double>(needle, around, check);
}

TEST(smooth_cases, a_vertex_of_a_sliver_whose_face_is_seen_from_its_edge_is_where_it_is) {
  // All faces of the sliver are seen at less than 0.0013 from their edge. The vertex is nearest to
  // the cone's side, and an edge leads away from there nearly along the normal.
  const Solid<3> sliver =
      hull({0, 0, 0},
           {-0.56177586317062378, 0.80968171358108521, 0.057047974318265915, -0.15990273654460907},
           {{9.0085224655922502e-05, -0.060024391859769821, -0.4299561083316803},
            {-8.2508988271001726e-05, -0.0688466876745224, -0.56079119443893433},
            {6.2119193898979574e-05, -0.26849949359893799, 0.73622590303421021},
            {4.2050561432915856e-07, -0.49566495418548584, 0.8685036301612854}});
  const Solid<3> below =
      cone({0.3997337818145752, 0.086446180939674377, 1.257864236831665},
           {-0.55953454971313477, -0.49024850130081177, 0.60429501533508301, -0.28531563282012939},
           2.468451976776123, 1.6002413034439087);
  expect_deepest_on_cores(sliver, below);
  expect_deepest_on_cores(below, sliver);
}

TEST(smooth_cases, ellipsoids_leave_one_another_the_shortest_of_several_ways) {
  // Newton's steps from between the middles end where the overlap is stationary, and 0.03 to 0.06
  // longer than the least.
  const auto ellipsoid_at = [](const Point<3>& center, Quaternion turn, const Point<3>& half) {
    double square = 0;
    for (const double x : turn) square += x * x;
    for (double& x : turn) x /= std::sqrt(square);
    return ellipsoid(center, turn, half, 0);
  };
  const auto expect_both_right = [](const Solid<3>& a, const Solid<3>& b) {
    expect_right<float>(a, b);
    expect_right<double>(a, b);
    expect_right<float>(b, a);
    expect_right<double>(b, a);
  };
  const Point<3> middle{0, 0, 0};
  expect_both_right(
      ellipsoid_at(middle, {0.01, -0.72, 0.67, 0.2}, {0.77, 0.54, 0.86}),
      ellipsoid_at({0.01, -0.54, -0.41}, {-0.03, -0.35, -0.56, 0.75}, {0.21, 0.77, 0.73}));
  expect_both_right(
      ellipsoid_at(middle, {-0.44, -0.55, -0.2, 0.68}, {0.21, 0.46, 0.62}),
      ellipsoid_at({0.39, -0.3, 0.05}, {-0.01, 0.25, 0.97, -0.02}, {0.99, 0.75, 0.59}));
  expect_both_right(
      ellipsoid_at(middle, {-0.41, 0.11, -0.8, 0.42}, {0.83, 0.5, 0.75}),
      ellipsoid_at({-0.65, -0.39, 0.4}, {0.17, -0.37, -0.75, -0.52}, {0.37, 0.88, 0.24}));
}

TEST(smooth_cases, balls_as_ellipsoids_leave_one_another_along_their_middles) {
  const auto is_tie = [](const auto& contact) { EXPECT_EQ(contact.status, 1); };
  const Solid<3> round = ellipsoid({0, 0, 0}, kUpright, {1, 1, 1}, 0);
  expect_right<float>(round, round, is_tie);
  expect_right<double>(ball<3>({0, 0, 0}, 0.5), round, is_tie);
  const auto is_along = [](const auto& contact) {
    EXPECT_NEAR(contact.normal[0] * 2 - contact.normal[1], 0, 2e-5) << describe(contact);
  };
  const Quaternion turn{0.18257418583505536, 0.3651483716701107, 0.5477225575051661,
                        0.7302967433402214};
  expect_right<float>(round, ellipsoid({1e-3, 2e-3, 0}, turn, {1, 1, 1}, 0), is_along);
}

}  // namespace
}  // namespace widephase::test
