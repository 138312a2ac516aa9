import Capture

/// A text of the process', such as its name or a file's, that is safe for a terminal: control characters, and those
/// that change the direction of text, become U+FFFD.
package func printable(_ text: String) -> String {
  // Nearly all are printable ASCII.
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: result.append("\u{FFFD}")
    default: result.append(scalar)
    }
  }
  return String(result)
}

extension ObjectGraph {
  mutating func makePrintable() {
    processName = printable(processName)
    remarks = remarks.map(printable)
    for index in damage.indices { damage[index].sentence = printable(damage[index].sentence) }
    definitions = definitions.mapValues { Definition(file: printable($0.file), line: $0.line) }
    for index in roots.indices { roots[index].label = printable(roots[index].label) }
    for index in types.indices {
      types[index].name = printable(types[index].name)
      types[index].superclasses = types[index].superclasses.map(printable)
      for field in types[index].fields.indices {
        types[index].fields[field].name = printable(types[index].fields[field].name)
        types[index].fields[field].typeName = printable(types[index].fields[field].typeName)
      }
    }
  }
}
