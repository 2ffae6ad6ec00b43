#pragma once

#include <widephase/closest.hpp>
#include <widephase/collide.hpp>
#include <widephase/version.hpp>
