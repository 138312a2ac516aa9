#pragma once
// No #include on purpose: the same header serves glibc and freestanding WebAssembly.

/// Bytes that the browser build has allocated and not freed; 0 natively, where the C library keeps count.
unsigned long platform_live_bytes(void);
