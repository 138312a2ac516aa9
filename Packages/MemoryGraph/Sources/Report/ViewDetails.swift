import Capture
import Graph

/// Data that only some nodes have: values, allocation stacks, and where tasks wait.
enum ViewDetails {
  /// The most characters of a text, and the most bytes of all images and texts, in a page.
  private static let mostOfText = 2_000
  private static let mostBytes = 8_000_000

  static func add(_ graph: ObjectGraph, _ selection: ViewSelection, to json: inout JSONWriter) {
    addValues(graph, selection, to: &json)
    addStacks(graph, selection, to: &json)
  }

  /// {"node": [[field, kind, text, base64 of an image]]}
  private static func addValues(_ graph: ObjectGraph, _ selection: ViewSelection, to json: inout JSONWriter) {
    guard !graph.values.isEmpty else { return }
    var room = mostBytes
    json.object("values") { json in
      for (place, node) in selection.nodes.enumerated() {
        guard let values = graph.values[UInt32(node)], room > 0 else { continue }
        json.list("\(place)") { json in
          for value in values {
            json.list { json in
              let text = String(value.text.prefix(mostOfText))
              json.string(nil, graph.label(of: value, in: node))
              json.string(nil, value.kind.rawValue)
              json.string(nil, text)
              room -= text.utf8.count + 40
              guard value.kind == .image, value.bytes.count <= room else { return }
              room -= value.bytes.count
              value.bytes.withUnsafeBytes { json.base64(nil, $0) }
            }
          }
        }
      }
    }
  }

  /// The stacks of the page's nodes, and their frames.
  private static func addStacks(_ graph: ObjectGraph, _ selection: ViewSelection, to json: inout JSONWriter) {
    var (stacks, frames) = (Numbering<UInt32>(), Numbering<UInt32>())
    let suspended = selection.nodes.enumerated().compactMap { place, node in
      graph.suspendedAt[UInt32(node)].map { (place, $0) }
    }
    guard !graph.stacks.isEmpty, graph.allocatedAt.count == graph.count || !suspended.isEmpty else { return }
    if graph.allocatedAt.count == graph.count {
      json.column(
        "allocatedAt",
        selection.nodes.map { node in
          let stack = graph.allocatedAt[node]
          return stack > 0 && stack <= graph.stacks.count ? stacks.number(of: stack - 1) + 1 : 0
        })
    }
    json.list("suspended") { json in
      for (place, stack) in suspended where stack < graph.stacks.count {
        json.list { json in
          json.number(nil, place)
          json.number(nil, Int(stacks.number(of: stack)))
        }
      }
    }
    json.list("stacks") { json in
      for stack in stacks.all {
        json.list { json in
          for frame in graph.stacks[Int(stack)] where frame < graph.frames.count {
            json.number(nil, Int(frames.number(of: frame)))
          }
        }
      }
    }
    json.list("frames") { json in
      for frame in frames.all { add(graph.frames[Int(frame)], to: &json) }
    }
  }

  private static func add(_ frame: Frame, to json: inout JSONWriter) {
    json.list { json in
      json.string(nil, frame.function ?? hexadecimal(frame.address))
      json.string(nil, frame.image.split(separator: "/").last.map(String.init) ?? "")
      json.number(nil, frame.isOwn ? 1 : 0)
      if let file = frame.file {
        json.string(nil, file)
        json.number(nil, frame.line ?? 0)
      }
    }
  }
}

extension Frame {
  /// True if the source is known and not the system's, so that the reader can change it.
  fileprivate var isOwn: Bool {
    guard let file, !file.isEmpty, !file.hasPrefix("<") else { return false }
    return !["/usr/", "/home/build-user/"].contains { file.hasPrefix($0) }
      && !["/usr/", "/lib/", "/lib64/"].contains { image.hasPrefix($0) }
  }
}
