import CRemoteMirror
import Capture
import Glibc

/// Reads the types of another process with libswiftRemoteMirror, from its snapshot.
final class Mirror {
  /// swift_layout_kind_t of swift/SwiftRemoteMirror, in its order.
  enum Kind: Int32 {
    case unknown, builtin, rawPointer, tuple, structure, noPayloadEnum, singlePayloadEnum, multiPayloadEnum
    case thickFunction, opaqueExistential, classExistential, errorExistential, metatype
    case strong, unowned, weak, unmanaged, classInstance, closureContext, array

    init(_ raw: Int32) { self = Kind(rawValue: raw) ?? .unknown }
  }
  struct Child {
    let name: String
    let offset: Int
    let kind: Kind
    let type: cremotemirror_typeref
  }

  private let library: MirrorLibrary
  private let memory: MemoryImage
  private let images: [ELFImage]
  private var context: OpaquePointer?
  /// The image being added: parts of its file that are not mapped are read as if they were.
  private var added: ELFImage?
  /// Files whose types could not be read.
  private(set) var refused: [String] = []

  init(_ memory: MemoryImage, _ images: [ELFImage]) throws(GraphError) {
    library = try MirrorLibrary()
    self.memory = memory
    self.images = images
    let reader = Unmanaged.passUnretained(self).toOpaque()
    context = library.create(
      reader,
      { _, question, _, answer in
        switch question {
        case Int32(cremotemirror_ask_pointer_size), Int32(cremotemirror_ask_size_size):
          answer!.storeBytes(of: 8, as: UInt8.self)
        case Int32(cremotemirror_ask_least_pointer): answer!.storeBytes(of: 0x1000, as: UInt64.self)
        default: return 0
        }
        return 1
      },
      { _, bytes, _ in free(UnsafeMutableRawPointer(mutating: bytes)) },
      { reader, address, count, _ in Mirror.from(reader).read(address, count) },
      { reader, address in
        guard address <= UInt64.max - UInt64(Mirror.longestText) else { return 0 }
        return UInt64(Mirror.from(reader).memory.text(address, limit: Mirror.longestText)?.utf8.count ?? 0)
      },
      { reader, name, length in
        let name = String(decoding: UnsafeRawBufferPointer(start: name, count: Int(length)), as: UTF8.self)
        return Mirror.from(reader).images.lazy.map { $0.exported(name) }.first { $0 != 0 } ?? 0
      })
    for image in images where image.hasSwift {
      added = image
      if library.addImage(context, image.start, UInt64(image.size)) == 0 { refused.append(image.path) }
    }
    added = nil
  }

  deinit { library.destroy(context) }

  /// The most bytes of one read: the library reads sections as a whole, which have some megabytes in a large program.
  private static let largestRead: UInt64 = 64 << 20
  private static let longestText = 8192

  private static func from(_ reader: UnsafeMutableRawPointer?) -> Mirror {
    Unmanaged<Mirror>.fromOpaque(reader!).takeUnretainedValue()
  }

  private func read(_ address: UInt64, _ count: UInt64) -> UnsafeRawPointer? {
    guard count <= Self.largestRead, let bytes = malloc(Int(max(count, 1))) else { return nil }
    if let image = added {
      let offset = address &- image.start
      if image.unmapped.contains(where: { $0.contains(offset) && offset + count <= $0.upperBound }) {
        image.copy(Int(offset), Int(count), into: bytes)
        return UnsafeRawPointer(bytes)
      }
    }
    if memory.read(address, Int(count), into: bytes) { return UnsafeRawPointer(bytes) }
    free(bytes)
    return nil
  }

  // MARK: Queries

  func name(ofMetadata metadata: UInt64) -> String? {
    name(of: library.typeRefForMetadata(context, UInt(metadata)))
  }

  func name(of type: cremotemirror_typeref) -> String? {
    guard type != 0, let name = library.copyName(context, type) else { return nil }
    defer { free(name) }
    return String(cString: name)
  }

  /// The stored properties of a class, without those of its superclass.
  func fields(ofClass metadata: UInt64) -> [Child] {
    let info = library.infoForMetadata(context, UInt(metadata))
    guard Kind(info.kind) == .classInstance else { return [] }
    return (0..<info.field_count).map { child(library.childOfMetadata(context, UInt(metadata), $0)) }
  }

  /// The values that a closure has captured, or that a box contains, and where the last one ends.
  func captures(ofInstance object: UInt64) -> (values: [Child], end: Int?) {
    let info = library.infoForInstance(context, UInt(object))
    guard Kind(info.kind) == .closureContext else { return ([], nil) }
    return ((0..<info.field_count).map { child(library.childOfInstance(context, UInt(object), $0)) }, Int(info.size))
  }

  /// The parts of a structure, a tuple or an enumeration's cases.
  func children(of type: cremotemirror_typeref) -> [Child] {
    guard type != 0 else { return [] }
    let info = library.infoForTypeRef(context, type)
    return (0..<info.field_count).map { child(library.childOfTypeRef(context, type, $0)) }
  }

  /// The size of a type's values in bytes; 0 if unknown.
  func size(of type: cremotemirror_typeref) -> Int { knownSize(of: type) ?? 0 }

  /// The same, but nil if unknown: some values have no bytes.
  func knownSize(of type: cremotemirror_typeref) -> Int? {
    guard type != 0 else { return nil }
    let info = library.infoForTypeRef(context, type)
    return info.kind == 0 ? nil : Int(info.size)
  }

  /// A type's generic argument, such as that of an array's storage, as a part at offset 0, and the stride of such parts
  /// in bytes.
  func argument(_ number: Int, ofClass metadata: UInt64) -> (part: Child, stride: Int)? {
    let type = library.typeRefForMetadata(context, UInt(metadata))
    guard type != 0 else { return nil }
    return value(library.genericArgument(type, UInt32(number)))
  }

  /// A value of a type, such as the contents of a box, by its metadata.
  func value(ofMetadata metadata: UInt64) -> Child? {
    value(library.typeRefForMetadata(context, UInt(metadata)))?.part
  }

  /// A value of a type, by its mangled name ("$s3App6ConfigVD"); nil where the process has no such type.
  func value(ofMangled name: String) -> Child? {
    let value = value(library.typeRefForName(context, name, UInt64(name.utf8.count)))?.part
    return value?.kind == .unknown ? nil : value
  }

  private func value(_ type: cremotemirror_typeref) -> (part: Child, stride: Int)? {
    guard type != 0 else { return nil }
    let info = library.infoForTypeRef(context, type)
    return (Child(name: "", offset: 0, kind: Kind(info.kind), type: type), Int(info.stride))
  }

  private func child(_ raw: cremotemirror_child) -> Child {
    Child(
      name: raw.name.map { String(cString: $0) } ?? "", offset: Int(raw.offset), kind: Kind(raw.kind), type: raw.type)
  }
}
