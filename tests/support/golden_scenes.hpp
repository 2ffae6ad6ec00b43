#pragma once

// Hashes of every generator's scene of 2,000 bodies with seed 1. If they change, the changelog says
// so, since earlier measurements then used other scenes.

#include <cstdint>
#include <string_view>

namespace widephase::test {

struct GoldenScene {
  std::string_view name;
  int dimension;
  std::uint64_t single;   ///< in float
  std::uint64_t twofold;  ///< in double
};

inline constexpr GoldenScene kGoldenScenes[] = {
    {"uniform", 2, 0x018dd617a8099777, 0x1f65b9bfa26105fc},
    {"power_law", 2, 0x40ae362b21587571, 0x3b2e5351ff36deac},
    {"outliers", 2, 0x20da235d0b816478, 0x620804d7d27ffb1c},
    {"clustered", 2, 0x098351fbf1161609, 0x3f1716d92b4370a2},
    {"packed", 2, 0x17ed7506a3c20acb, 0xfd384b4c5d245514},
    {"plates", 2, 0xc3f82d11e3685383, 0x3acdd882be127c24},
    {"sticks", 2, 0xdddd1d87cfb59942, 0x5d808ed031524db0},
    {"mixed", 2, 0x183b38cf48d11b9e, 0x1d5e3810066daa6e},
    {"stack", 2, 0xef2b756b205bdc2b, 0xc8c0294c20c9a463},
    {"pyramid", 2, 0xc761c8e47cd012dd, 0x29049167431270a2},
    {"pile", 2, 0xe6dd810ec1f5bdbf, 0x171933207ccbc0ff},
    {"corridor", 2, 0x9486a263f6931fb7, 0x1b5aa840c970fc27},
    {"worlds", 2, 0x37313f774df61362, 0x185f610186169a35},
    {"uniform", 3, 0x463aa7dfbf6a6a30, 0x3dbce36629dce5fd},
    {"power_law", 3, 0x39065ded7b407fc8, 0x4193cb9b400e69a1},
    {"outliers", 3, 0x379c0fdd1eb1135a, 0xd24754eb3b62a665},
    {"clustered", 3, 0x563f9832cd76565c, 0x468ea55228de701b},
    {"packed", 3, 0x47f6d28841cd33c4, 0x42f281fb9e1b0faa},
    {"plates", 3, 0x7b4a2a02f7f6679b, 0x869c9077aab8c4fe},
    {"sticks", 3, 0xc4763552fdf6ff85, 0xf1bf7c86eb18d170},
    {"mixed", 3, 0xbb1b6884c4db8138, 0x1b052b725fdf9a80},
    {"stack", 3, 0x0df8e00d897376cc, 0xd1ec414d56ce1d6c},
    {"pyramid", 3, 0xf52088f164241a19, 0x0744e2b8c1f85325},
    {"pile", 3, 0xe15631c10b0c6868, 0x82b97803b831c890},
    {"worlds", 3, 0xb007d204f49b6229, 0xfb492a63c456a3ac},
    {"smooth", 3, 0xbafd2f2cb73f7620, 0x1adc941d1da8bd0a},
    {"smooth_pile", 3, 0xa6ffd7fed960a478, 0xe3c38d5802b82c2c},
    {"terrain", 3, 0xc6dc8a7cefa5c5d6, 0xd1c6066f48866e99},
    {"stairs", 3, 0xe1543ffc3f10c240, 0x6a60edc532cf217b},
    {"level", 3, 0x0cf4eefe4c8439f2, 0x3a2a5a750f1f58c6},
    {"walls", 3, 0x4dcc6b42b3557bcb, 0xa5cf718571771657},
};

}  // namespace widephase::test
