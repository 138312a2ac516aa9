#pragma once
// No #include on purpose: the same header serves glibc and freestanding WebAssembly.

/// Bytes that the browser build has allocated and not freed; 0 in the native build.
unsigned long platform_live_bytes(void);
