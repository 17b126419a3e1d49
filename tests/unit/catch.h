// The one place that knows which Catch2 is installed: include this instead of Catch2's own headers.
#pragma once

#ifdef TOPOSEG_CATCH2_V3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
