#pragma once

// For C too.
#define WIDEPHASE_VERSION "0.1.0"
