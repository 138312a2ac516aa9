import Analysis
import Capture
import Graph

/// A look as JSON: `leaks` names every leaked block, `findings` groups them.
public enum JSONReport {
  /// - Parameters:
  ///   - object: a block to be described in full, too.
  ///   - target: a block to which the path from a root is described, too.
  public static func bytes(_ look: Look, object: Int? = nil, pathTo target: Int? = nil) -> [UInt8] {
    let examination = look.examination
    let graph = examination.graph
    var json = JSONWriter()
    json.object { json in
      json.number("version", 1)
      addProcess(graph.process, graph.processName, to: &json)
      json.object("capture") { json in
        json.string("method", look.method)
        json.number("stop_ms", look.stopSeconds * 1000)
        json.number("total_ms", look.seconds * 1000)
        json.number("looks", look.looks)
        if let takenAt = look.takenAt { json.number("taken_at", takenAt) }
      }
      if let object { addObject(object, examination, to: &json) }
      if let target { addPath(to: target, examination, to: &json) }
      json.number("nodes", graph.count)
      json.number("bytes", graph.totalBytes)
      json.list("findings") { json in
        for finding in examination.leaks.findings { add(finding, examination, to: &json) }
      }
      json.list("leaks") { json in
        for (node, finding) in examination.leaks.nodes {
          json.object { json in
            addNode(node, graph, to: &json)
            json.string("finding", examination.leaks.findings[finding].id)
          }
        }
      }
      json.list("cycles") { json in for cycle in examination.cycles { add(cycle, examination, to: &json) } }
      json.list("over_retained") { json in
        for finding in examination.overRetained { add(finding, examination, to: &json) }
      }
      json.list("harmless") { json in
        for (pattern, finding) in examination.harmless {
          json.object { json in
            json.string("pattern", pattern.text)
            json.string("reason", pattern.reason)
            addExtent(finding, to: &json)
          }
        }
      }
      if let dominators = examination.dominators {
        json.list("owners") { json in
          for node in dominators.largest(20, in: graph, examination.reach) {
            json.object { json in
              addNode(node, graph, to: &json)
              json.number("retained", dominators.retainedBytes(of: node))
            }
          }
        }
      }
      json.list("types") { json in
        for count in TypeCount.all(graph, examination.leaks) {
          json.object { json in
            json.string("type", count.type.name)
            json.string("language", count.type.language.rawValue)
            json.number("objects", count.objects)
            json.number("bytes", count.bytes)
            json.number("leaked", count.leaked)
          }
        }
      }
      json.list("damage") { json in
        for damage in graph.damage {
          json.object { json in
            json.string("address", hexadecimal(damage.address))
            json.number("unread_bytes", damage.unread)
            json.string("what", damage.sentence)
          }
        }
      }
      json.strings("remarks", graph.remarks)
    }
    return json.bytes + [10]
  }

  static func addProcess(_ process: Int32, _ name: String, to json: inout JSONWriter) {
    json.object("process") { json in
      json.number("pid", Int(process))
      json.string("name", name)
    }
  }

  /// The kind and the title of a finding, and how much it is.
  static func addExtent(_ finding: Finding, to json: inout JSONWriter) {
    json.string("kind", finding.kind.rawValue)
    json.string("title", finding.title)
    json.number("instances", finding.instances)
    json.number("objects", finding.objects)
    json.number("bytes", finding.bytes)
  }

  static func addNode(_ node: Int, _ graph: ObjectGraph, to json: inout JSONWriter) {
    json.string("address", hexadecimal(graph.addresses[node]))
    json.string("type", graph.type(of: node).name)
    json.number("size", graph.bytes(of: node))
    json.string("language", graph.type(of: node).language.rawValue)
  }

  static func add(_ finding: Finding, _ examination: Examination, to json: inout JSONWriter) {
    let graph = examination.graph
    json.object { json in
      json.string("id", finding.id)
      addExtent(finding, to: &json)
      json.number("confidence", finding.confidence)
      if finding.retained > 0 { json.number("retained", finding.retained) }
      json.list("path") { json in
        guard let path = examination.reach.path(to: finding.head, in: graph) else { return }
        json.object { json in json.string("root", path.root?.label ?? "unknown") }
        for step in path.steps { add(step, graph, to: &json) }
      }
      json.list("cycle") { json in for step in finding.ring { add(step, graph, to: &json) } }
      // The stack that allocated the finding's first block.
      addStack("backtrace", graph.allocation(of: finding.head), to: &json)
    }
  }

  /// Unknown parts of a call are left out.
  static func addStack(_ name: String, _ frames: [Frame], to json: inout JSONWriter) {
    json.list(name) { json in
      for frame in frames {
        json.object { json in
          json.string("function", frame.function ?? hexadecimal(frame.address))
          if let file = frame.file { json.string("file", file) }
          if let line = frame.line { json.number("line", line) }
          json.string("image", frame.image)
        }
      }
    }
  }

  static func add(_ step: Step, _ graph: ObjectGraph, to json: inout JSONWriter) {
    json.object { json in
      json.string("address", hexadecimal(graph.addresses[step.from]))
      json.string("type", graph.type(of: step.from).name)
      json.string("field", step.label(in: graph))
      json.string("reference", step.strength(in: graph))
    }
  }
}
