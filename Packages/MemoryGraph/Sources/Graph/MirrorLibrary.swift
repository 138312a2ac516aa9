import CRemoteMirror
import Capture
import Glibc

/// libswiftRemoteMirror, loaded at run time, since only the memory graph needs it, and only its toolchain has it.
struct MirrorLibrary {
  let create: cremotemirror_createReflectionContextWithDataLayout
  let destroy: cremotemirror_destroyReflectionContext
  let addImage: cremotemirror_addImage
  let typeRefForMetadata: cremotemirror_typeRefForMetadata
  let copyName: cremotemirror_copyDemangledNameForTypeRef
  let infoForMetadata: cremotemirror_infoForMetadata
  let childOfMetadata: cremotemirror_childOfMetadata
  let infoForInstance: cremotemirror_infoForInstance
  let childOfInstance: cremotemirror_childOfInstance
  let infoForTypeRef: cremotemirror_infoForTypeRef
  let childOfTypeRef: cremotemirror_childOfTypeRef
  let genericArgument: cremotemirror_genericArgumentOfTypeRef
  let typeRefForName: cremotemirror_typeRefForMangledTypeName

  static let file = "libswiftRemoteMirror.so"

  init() throws(GraphError) {
    var failures: [String] = []
    for path in Self.places() where access(path, F_OK) == 0 {
      guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
        failures.append(String(cString: dlerror()))
        continue
      }
      func function<Function>(_ name: String) throws(GraphError) -> Function {
        guard let address = dlsym(handle, "swift_reflection_" + name) else {
          throw GraphError("\(path) has no swift_reflection_\(name); that of Swift 6.3 is accepted.")
        }
        return unsafeBitCast(address, to: Function.self)
      }
      create = try function("createReflectionContextWithDataLayout")
      destroy = try function("destroyReflectionContext")
      addImage = try function("addImage")
      typeRefForMetadata = try function("typeRefForMetadata")
      copyName = try function("copyDemangledNameForTypeRef")
      infoForMetadata = try function("infoForMetadata")
      childOfMetadata = try function("childOfMetadata")
      infoForInstance = try function("infoForInstance")
      childOfInstance = try function("childOfInstance")
      infoForTypeRef = try function("infoForTypeRef")
      childOfTypeRef = try function("childOfTypeRef")
      genericArgument = try function("genericArgumentOfTypeRef")
      typeRefForName = try function("typeRefForMangledTypeName")
      return
    }
    let why = failures.isEmpty ? "" : " " + failures.joined(separator: " ")
    throw GraphError(
      """
      \(Self.file) was not found, which knows Swift's types.\(why) It is accepted beside this program, where bin/build \
      puts it, and in a Swift toolchain that is in the PATH (usr/lib/swift/linux).
      """)
  }

  /// The directories to search: beside this program, in the toolchain of `swift`, and where distributions install it.
  private static func places() -> [String] {
    var places: [String] = []
    if let program = realPath("/proc/self/exe") { places.append("\(folder(of: program))/\(file)") }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    for directory in path.split(separator: ":") {
      guard let swift = realPath("\(directory)/swift") else { continue }
      places.append("\(folder(of: folder(of: swift)))/lib/swift/linux/\(file)")
    }
    return places + ["/usr/lib/swift/linux/\(file)"]
  }
}
