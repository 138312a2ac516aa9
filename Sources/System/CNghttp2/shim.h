#pragma once
#include <stddef.h>
#include <nghttp2/nghttp2.h>
