#pragma once
// libswiftRemoteMirror, which comes with every Swift toolchain, but without a header. The part of its C interface in
// use (swift/include/swift/SwiftRemoteMirror) is declared here; the library is loaded at run time (dlopen(3)).
#include <stdint.h>

typedef struct cremotemirror_context cremotemirror_context;
typedef uint64_t cremotemirror_typeref;

typedef struct {
  int kind;
  unsigned size, alignment, stride, field_count;
} cremotemirror_type;

typedef struct {
  const char *name;
  unsigned offset;
  int kind;
  cremotemirror_typeref type;
} cremotemirror_child;

/// DataLayoutQueryType: the library's queries about the process.
enum {
  cremotemirror_ask_pointer_size = 0,
  cremotemirror_ask_size_size = 1,
  cremotemirror_ask_least_pointer = 4,
};

typedef int (*cremotemirror_layout)(void *reader, int question, void *in, void *out);
typedef void (*cremotemirror_free)(void *reader, const void *bytes, void *extra);
typedef const void *(*cremotemirror_read)(void *reader, uint64_t address, uint64_t count, void **extra);
typedef uint64_t (*cremotemirror_length)(void *reader, uint64_t address);
typedef uint64_t (*cremotemirror_symbol)(void *reader, const char *name, uint64_t length);

// The demanglers of the Swift runtime (libswiftCore), which has no header for them either. They return memory to be
// freed with free(3), or NULL for a name that is not mangled. `output` and `size` may be NULL.
/// stdlib/public/runtime/Demangle.cpp: Swift's names in full, with modules and types.
char *swift_demangle(const char *name, unsigned long length, char *output, unsigned long *size, uint32_t flags);
/// stdlib/public/runtime/Backtrace.cpp: names of C++, too.
char *_swift_backtrace_demangle(const char *name, unsigned long length, char *output, unsigned long *size);

// The functions, by their names in the library after "swift_reflection_".
typedef cremotemirror_context *(*cremotemirror_createReflectionContextWithDataLayout)(
    void *reader, cremotemirror_layout, cremotemirror_free, cremotemirror_read, cremotemirror_length,
    cremotemirror_symbol);
typedef void (*cremotemirror_destroyReflectionContext)(cremotemirror_context *);
typedef int (*cremotemirror_addImage)(cremotemirror_context *, uint64_t start, uint64_t size);
typedef cremotemirror_typeref (*cremotemirror_typeRefForMetadata)(cremotemirror_context *, uintptr_t metadata);
typedef char *(*cremotemirror_copyDemangledNameForTypeRef)(cremotemirror_context *, cremotemirror_typeref);
typedef cremotemirror_type (*cremotemirror_infoForMetadata)(cremotemirror_context *, uintptr_t metadata);
typedef cremotemirror_child (*cremotemirror_childOfMetadata)(cremotemirror_context *, uintptr_t metadata, unsigned);
typedef cremotemirror_type (*cremotemirror_infoForInstance)(cremotemirror_context *, uintptr_t object);
typedef cremotemirror_child (*cremotemirror_childOfInstance)(cremotemirror_context *, uintptr_t object, unsigned);
typedef cremotemirror_type (*cremotemirror_infoForTypeRef)(cremotemirror_context *, cremotemirror_typeref);
typedef cremotemirror_child (*cremotemirror_childOfTypeRef)(cremotemirror_context *, cremotemirror_typeref, unsigned);
typedef cremotemirror_typeref (*cremotemirror_typeRefForMangledTypeName)(
    cremotemirror_context *, const char *name, uint64_t length);
typedef cremotemirror_typeref (*cremotemirror_genericArgumentOfTypeRef)(cremotemirror_typeref, unsigned);
