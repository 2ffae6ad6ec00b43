#pragma once

#include <widephase/closest.hpp>
#include <widephase/collide.hpp>
#include <widephase/decompose.hpp>
#include <widephase/polygons.hpp>
#include <widephase/transforms.hpp>
#include <widephase/version.hpp>
