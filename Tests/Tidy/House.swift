import Foundation

/// The repository's files and their imports.
enum House {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// All files below a folder, as paths from the root, without those that git ignores.
  static func files(_ folder: String) -> [String] {
    let base = root.appending(path: folder)
    guard let all = FileManager.default.enumerator(at: base, includingPropertiesForKeys: [.isRegularFileKey]) else {
      return []
    }
    var paths: [String] = []
    for case let file as URL in all {
      if ["__pycache__", ".pytest_cache"].contains(file.lastPathComponent) {
        all.skipDescendants()
      } else if (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true {
        paths.append(String(file.standardizedFileURL.path().dropFirst(root.standardizedFileURL.path().count)))
      }
    }
    return paths.sorted()
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  /// The packages by their folders; the root is "".
  static let packages = ["", "Packages/Base/", "Packages/MemoryGraph/"]

  /// All files below a folder of this name, such as "Sources", in all packages.
  static func everywhere(_ folder: String) -> [String] { packages.flatMap { files($0 + folder) } }

  /// A module as Package.swift lays it out: its name, the group of its folder, and its package.
  struct Module: Hashable {
    var name: String
    var group: String
    var package: String
  }

  static let modules: [String: Module] = {
    let all = everywhere("Sources").compactMap { module(of: $0) }
    return Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }()

  /// The modules named in a file's import lines.
  static func imports(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      var words = line.split(separator: " ").map(String.init)
      let access = ["public", "package", "internal", "fileprivate", "private"]
      while let first = words.first, access.contains(first) || first.hasPrefix("@") {
        words.removeFirst()
      }
      guard words.count >= 2, words[0] == "import" else { return nil }
      // "import struct Module.Name" names a module too.
      let name = words.count > 2 && words[1].allSatisfy(\.isLowercase) ? words[2] : words[1]
      return String(name.prefix { $0 != "." })
    }
  }

  /// The direct imports of each module.
  static func importGraph() throws -> [String: Set<String>] {
    var graph: [String: Set<String>] = [:]
    for path in everywhere("Sources") where path.hasSuffix(".swift") {
      guard let module = module(of: path) else { continue }
      graph[module.name, default: []].formUnion(imports(in: try text(path)))
    }
    return graph
  }

  /// The module of a file in `Sources`; nil for other files.
  static func module(of path: String) -> Module? {
    let package = packages.last { path.hasPrefix($0) }!
    let parts = path.dropFirst(package.count).split(separator: "/").map(String.init)
    // In the memory graph's package, all modules but System are one group.
    if package == "Packages/MemoryGraph/", parts[1] != "System" {
      return Module(name: parts[1], group: "MemoryGraph", package: package)
    }
    let groups = [
      "Sound", "Playback", "Objects", "Imaging", "Uploads", "Zip", "Galleries", "Flickr", "Realtime", "Markup",
      "Calendar", "Positions", "Receiving", "Hub", "Agent",
    ]
    if groups.contains(parts[1]) {
      return Module(name: parts[1], group: parts[1], package: package)
    }
    return parts.count > 3 ? Module(name: parts[2], group: parts[1], package: package) : nil
  }
}
