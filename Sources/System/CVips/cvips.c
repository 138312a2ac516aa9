#include "cvips.h"
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

int cvips_start(const char *program) {
  // Memory in one place: what many arenas keep would count against the limit of memory.
  mallopt(M_ARENA_MAX, 2);
  g_setenv("VIPS_NOVECTOR", "1", TRUE); // Its compiler at run time needs files and executable memory.
  g_setenv("VIPS_BLOCK_UNTRUSTED", "1", TRUE);
  if (VIPS_INIT(program)) return -1;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  vips_cache_set_max_mem(0);
  vips_leak_set(FALSE);
  // libheif and LittleCMS are opened and filled at the first use: this is one. Both pictures are none.
  static const unsigned char heif[] = "\0\0\0\x18" "ftypheic\0\0\0\0mif1heic\0\0\0\x08" "free";
  static const unsigned char dot[3] = {128, 128, 128};
  VipsImage *image = NULL, *converted = NULL;
  if (!vips_heifload_buffer((void *)heif, sizeof heif - 1, &image, NULL)) g_object_unref(image);
  image = vips_image_new_from_memory_copy(dot, sizeof dot, 1, 1, 3, VIPS_FORMAT_UCHAR);
  if (image) {
    image->Type = VIPS_INTERPRETATION_sRGB;
    if (!vips_icc_transform(image, &converted, "srgb", "input_profile", "p3", NULL)) {
      size_t count;
      void *pixels = vips_image_write_to_memory(converted, &count);
      g_free(pixels);
      g_object_unref(converted);
    }
    g_object_unref(image);
  }
  vips_error_clear();
  return 0;
}

const char *cvips_version(void) { return vips_version_string(); }

int cvips_decodes_heic(void) {
  // What is loaded is found without opening a file.
  void *heif = dlopen("libheif.so.1", RTLD_LAZY | RTLD_NOLOAD);
  int (*has)(int) = heif ? (int (*)(int))dlsym(heif, "heif_have_decoder_for_format") : NULL;
  if (heif) dlclose(heif);
  return !has || has(1); // heif_compression_HEVC
}

void cvips_error(char *words, size_t room) {
  strncpy(words, vips_error_buffer(), room - 1);
  words[room - 1] = 0;
  vips_error_clear();
}

int cvips_open(const void *bytes, size_t count, CVipsImage **image) {
  // Newer ones than 8.17 open phones' JPEGs with a gain map by a loader of their own (uhdrload), which decodes.
  if (count > 3 && !memcmp(bytes, "\xff\xd8\xff", 3)) return vips_jpegload_buffer((void *)bytes, count, image, NULL);
  *image = vips_image_new_from_buffer(bytes, count, "", NULL);
  return *image ? 0 : -1;
}
int cvips_width(CVipsImage *image) { return vips_image_get_width(image); }
int cvips_height(CVipsImage *image) { return vips_image_get_page_height(image); }
int cvips_orientation(CVipsImage *image) { return vips_image_get_orientation(image); }

const char *cvips_loader(CVipsImage *image) {
  const char *name = "";
  if (!vips_image_get_typeof(image, VIPS_META_LOADER)) return name;
  return vips_image_get_string(image, VIPS_META_LOADER, &name) ? "" : name;
}

const void *cvips_field(CVipsImage *image, const char *name, size_t *count) {
  const void *bytes = NULL;
  *count = 0;
  if (!vips_image_get_typeof(image, name) || vips_image_get_blob(image, name, &bytes, count)) return NULL;
  return bytes;
}

int cvips_jpeg_shrunk(const void *bytes, size_t count, int shrink, CVipsImage **image) {
  return vips_jpegload_buffer(
      (void *)bytes, count, image, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
      VIPS_FAIL_ON_TRUNCATED, NULL);
}

/// In sRGB of 8 bits, on white, in memory. Takes `image`.
static int finish(VipsImage *image, CVipsImage **finished) {
  VipsImage *next = NULL;
  if (vips_image_hasalpha(image)) {
    VipsArrayDouble *white = vips_array_double_newv(1, image->BandFmt == VIPS_FORMAT_USHORT ? 65535.0 : 255.0);
    int failed = vips_flatten(image, &next, "background", white, NULL);
    vips_area_unref(VIPS_AREA(white));
    g_object_unref(image);
    if (failed) return -1;
    image = next;
  }
  int failed = vips_colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL);
  g_object_unref(image);
  if (failed) return -1;
  *finished = vips_image_copy_memory(next);
  g_object_unref(next);
  return *finished ? 0 : -1;
}

int cvips_smaller(CVipsImage *image, int edge, int converts, CVipsImage **smaller) {
  VipsImage *made = NULL;
  // A profile that does not fit, such as one of colours in a grey picture, is no reason to refuse the picture.
  int failed =
      (!converts ||
       vips_thumbnail_image(
           image, &made, edge, "height", edge, "size", VIPS_SIZE_DOWN, "export_profile", "srgb", NULL)) &&
      vips_thumbnail_image(image, &made, edge, "height", edge, "size", VIPS_SIZE_DOWN, NULL);
  return failed ? -1 : finish(made, smaller);
}

int cvips_thumbnail(const void *bytes, size_t count, int edge, int converts, CVipsImage **smaller) {
  VipsImage *made = NULL;
  void *data = (void *)bytes;
  // The option fail_on itself is not heeded for buffers (libvips#5195).
  const char *strict = "[fail_on=truncated]";
  int failed =
      (!converts ||
       vips_thumbnail_buffer(
           data, count, &made, edge, "height", edge, "size", VIPS_SIZE_DOWN, "option_string", strict,
           "export_profile", "srgb", NULL)) &&
      vips_thumbnail_buffer(
          data, count, &made, edge, "height", edge, "size", VIPS_SIZE_DOWN, "option_string", strict, NULL);
  return failed ? -1 : finish(made, smaller);
}

int cvips_jpeg(CVipsImage *image, int quality, void **bytes, size_t *count) {
  return vips_jpegsave_buffer(
      image, bytes, count, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, "interlace", FALSE, NULL);
}

int cvips_pixels(CVipsImage *image, void **bytes, size_t *count) {
  *bytes = vips_image_get_bands(image) == 3 ? vips_image_write_to_memory(image, count) : NULL;
  return *bytes ? 0 : -1;
}

void cvips_release(CVipsImage *image) { g_object_unref(image); }
void cvips_free(void *bytes) { g_free(bytes); }
