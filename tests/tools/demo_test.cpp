// The demo's report about answers that agree and are right, and about others. cli_test runs it.
// Labels: plain

#include <gtest/gtest.h>
#include <tinyxml2.h>

#include "tools/page/demo_report.hpp"

namespace widephase::tools {
namespace {

DemoReport good_report() {
  DemoReport report{"1.2.3", "A <CPU> & \"more\"", "2026-01-02", 2, 1.5, {}, {}};
  report.scenes.push_back({"worlds in 3D", 3, 16, 1024, 900, 500, {}, "<svg><g/></svg>"});
  for (const Isa isa : {Isa::scalar, Isa::sse2}) {
    for (const int threads : {1, 2}) {
      report.scenes[0].runs.push_back({isa, threads, 1e-3 / threads, 0x123456789abcdef0u});
    }
  }
  report.errors.push_back({"box_box", 3, 100, 60, 0, 1e-8, 0});
  return report;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_shown(const DemoReport& report, bool is_right_one) {
  EXPECT_EQ(is_right(report), is_right_one);
  const std::string json = demo_json(report);
  EXPECT_EQ(has(json, is_right_one ? "\"right\": true" : "\"right\": false"), true) << json;
  const std::string page = demo_page(report);
  EXPECT_EQ(has(page, "to the bit"), is_right_one);
  EXPECT_EQ(has(page, "Some answers differ or are wrong"), !is_right_one);
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(page.c_str()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
  EXPECT_TRUE(has(page, "A &lt;CPU&gt; &amp; &quot;more&quot;"));
}

TEST(demo, answers_that_are_alike_and_right) {
  const DemoReport report = good_report();
  EXPECT_TRUE(is_alike(report.scenes[0]));
  expect_shown(report, true);
  EXPECT_FALSE(has(demo_text(report), "DIFFER"));
  EXPECT_TRUE(has(demo_text(report), "123456789abcdef0"));
  // 1,024 bodies in a millisecond.
  EXPECT_DOUBLE_EQ(million_bodies_a_second(report.scenes[0], report.scenes[0].runs[0]), 1.024);
  EXPECT_TRUE(has(demo_text(report), "976.6"));
}

TEST(demo, a_call_with_other_contacts_is_told) {
  DemoReport report = good_report();
  report.scenes[0].runs[2].hash ^= 1;
  EXPECT_FALSE(is_alike(report.scenes[0]));
  expect_shown(report, false);
  const std::string text = demo_text(report);
  EXPECT_TRUE(has(text, "123456789abcdef1  DIFFERS\n"));
  EXPECT_TRUE(has(text, "CONTACTS DIFFER"));
  EXPECT_FALSE(has(text, "123456789abcdef0  DIFFERS"));
}

TEST(demo, a_wrong_answer_is_told) {
  DemoReport report = good_report();
  report.errors[0].wrong = 1;
  EXPECT_TRUE(is_alike(report.scenes[0]));
  expect_shown(report, false);
}

}  // namespace
}  // namespace widephase::tools
