import Foundation

/// The repository as its rules see it: files, and what they import.
enum House {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every file below a folder, as paths from the root; what git ignores is left out.
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

  /// Modules by their names: the folder each lives in, as Package.swift lays them out.
  static let modules: [String: String] = {
    var modules: [String: String] = [:]
    for path in files("Sources") {
      let parts = path.split(separator: "/").map(String.init)
      switch parts[1] {
      case "Realtime", "Markup", "Calendar", "Hub", "Agent": modules[parts[1]] = parts[1]
      default: if parts.count > 3 { modules[parts[2]] = parts[1] }
      }
    }
    return modules
  }()

  /// The modules a file's import lines name.
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

  /// What each module imports itself.
  static func importGraph() throws -> [String: Set<String>] {
    var graph: [String: Set<String>] = [:]
    for path in files("Sources") where path.hasSuffix(".swift") {
      guard let module = module(of: path) else { continue }
      graph[module, default: []].formUnion(imports(in: try text(path)))
    }
    return graph
  }

  static func module(of path: String) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    return modules[parts[1]] != nil ? parts[1] : parts.count > 3 ? parts[2] : nil
  }
}
