#pragma once
// libvips with fixed signatures: its own functions take lists of options (variadics), which Swift cannot call.
// Functions return 0, or -1 with the reason in cvips_error. Images are to be given back by cvips_release.
#include <stddef.h>

typedef struct _VipsImage CVipsImage;

/// Starts libvips for one picture after the other: one thread, no cache, no code made at run time, no loaders that are
/// not fit for strangers' files. Opens all modules and built-in tables that decoding needs later.
int cvips_start(const char *program);
const char *cvips_version(void);
/// 0 if libheif, which libvips opens by name, was found without a decoder of HEIC.
int cvips_decodes_heic(void);

/// The last error's words, which it clears.
void cvips_error(char *words, size_t room);

/// Reads a picture's head; the bytes must outlive the image.
int cvips_open(const void *bytes, size_t count, CVipsImage **image);
int cvips_width(CVipsImage *image);
int cvips_height(CVipsImage *image);
/// 1 to 8, as Exif counts; 1 if there is none.
int cvips_orientation(CVipsImage *image);
/// The name of the loader, such as "jpegload_buffer".
const char *cvips_loader(CVipsImage *image);
/// A field of bytes, such as "exif-data"; it lives as long as the image. NULL if it is missing.
const void *cvips_field(CVipsImage *image, const char *name, size_t *count);

/// Decodes a JPEG at a fraction of its size: 1, 2, 4 or 8. It is read while the result is.
int cvips_jpeg_shrunk(const void *bytes, size_t count, int shrink, CVipsImage **image);
/// Makes an opened picture smaller, upright, in sRGB, without transparency, and keeps it in memory. Never larger.
/// - `converts`: its colours are brought from its profile to sRGB; otherwise they are taken as sRGB.
int cvips_smaller(CVipsImage *image, int edge, int converts, CVipsImage **smaller);
/// The same of any picture's bytes, with what shrinks while it loads.
int cvips_thumbnail(const void *bytes, size_t count, int edge, int converts, CVipsImage **smaller);

/// A JPEG with nothing but the picture. The bytes are to be given back by cvips_free.
int cvips_jpeg(CVipsImage *image, int quality, void **bytes, size_t *count);
/// Red, green and blue of each pixel, to be given back by cvips_free.
int cvips_pixels(CVipsImage *image, void **bytes, size_t *count);

void cvips_release(CVipsImage *image);
void cvips_free(void *bytes);
