extension JSONValue {
  /// The shortest text of this value, as UTF-8.
  public var text: [UInt8] {
    var text: [UInt8] = []
    append(to: &text)
    return text
  }

  func append(to text: inout [UInt8]) {
    switch self {
    case .null: append("null", to: &text)
    case .bool(let value): append(value ? "true" : "false", to: &text)
    case .number(let digits): text += digits
    case .string(let characters): appendQuoted(characters, to: &text)
    case .array(let values):
      text.append(0x5B)
      for index in values.indices {
        if index > 0 { text.append(0x2C) }
        values[index].append(to: &text)
      }
      text.append(0x5D)
    case .object(let members):
      text.append(0x7B)
      for index in members.indices {
        if index > 0 { text.append(0x2C) }
        appendQuoted(members[index].name, to: &text)
        text.append(0x3A)
        members[index].value.append(to: &text)
      }
      text.append(0x7D)
    }
  }

  private func append(_ word: StaticString, to text: inout [UInt8]) {
    text += UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
  }

  /// Bytes that a byte of a text takes when it is written.
  static func writtenBytes(of byte: UInt8) -> Int {
    switch byte {
    case 0x22, 0x5C, 0x0A, 0x0D, 0x09: 2
    case ..<0x20: 6
    default: 1
    }
  }

  private func appendQuoted(_ characters: [UInt8], to text: inout [UInt8]) {
    text.append(0x22)
    var start = 0
    for index in characters.indices {
      let byte = characters[index]
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
      text += characters[start..<index]
      start = index + 1
      text.append(0x5C)
      switch byte {
      case 0x22, 0x5C: text.append(byte)
      case 0x0A: text.append(0x6E)
      case 0x0D: text.append(0x72)
      case 0x09: text.append(0x74)
      default:
        text += [0x75, 0x30, 0x30, 0x30 + byte >> 4, byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15]
      }
    }
    text += characters[start...]
    text.append(0x22)
  }
}
