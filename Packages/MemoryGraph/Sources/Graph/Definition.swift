/// A place in the program's sources.
public struct Definition: Hashable, Sendable {
  public var file: String
  public var line: Int

  public init(file: String, line: Int) { (self.file, self.line) = (file, line) }
}

/// The function that frees objects of a class (its deallocating deinit).
struct Deinit: Equatable, Sendable {
  var address: UInt64
  /// The file that it is in, and the address of that file's first byte.
  var path: String
  var start: UInt64
}

extension ObjectGraph {
  /// Finds where classes are defined, by the declarations of their deinits: the compiler gives an implicit one the line
  /// of its class. Nothing is known of classes without debug information, or whose deinit the
  /// compiler has merged with another.
  ///
  /// - Parameters:
  ///   - chosen: indices of types.
  ///   - process: whose files are read, as they may be others than this tool sees; 0 for its own.
  public mutating func nameDefinitions(ofTypes chosen: some Sequence<UInt32>, process: Int32) {
    var byFile: [String: [UInt32]] = [:]
    for type in Set(chosen) where definitions[type] == nil {
      if let function = deinits[type] { byFile[function.path, default: []].append(type) }
    }
    for (path, types) in byFile {
      guard let start = deinits[types[0]]?.start, let file = ELFImage(path, start: start, process: process),
        file.isDescribed
      else { continue }
      let places = types.map { deinits[$0]!.address &- file.bias }
      let info = DebugInfo(DebugSections(file.contents), at: [], functions: Set(places))
      for (type, place) in zip(types, places) {
        // Many implicit ones have no declaration; their code has the line of the class.
        guard let found = info.declared[place] ?? info.begins[place] else { continue }
        definitions[type] = Definition(file: printable(found.file), line: found.line)
      }
    }
  }
}
