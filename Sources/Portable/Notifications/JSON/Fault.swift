/// One thing that is wrong in a text: the field, the value seen, and what is accepted instead.
public struct Fault: Equatable, Sendable {
  let fieldText: [UInt8]
  let seenText: [UInt8]
  let acceptedText: [UInt8]

  /// The field's name, such as "actions[1].title"; "" if the text as a whole is wrong.
  public var field: String { String(decoding: fieldText, as: UTF8.self) }
  /// The value as JSON, cut if it is long; "missing" if there is none.
  public var seen: String { String(decoding: seenText, as: UTF8.self) }
  /// Such as "a text of 1 to 64 bytes is accepted".
  public var accepted: String { String(decoding: acceptedText, as: UTF8.self) }
  /// The fault as a sentence without its field: "7; a text of 1 to 64 bytes is accepted."
  public var sentence: String { seen + "; " + accepted + "." }

  var json: JSONValue {
    .object([
      JSONMember("field", .string(fieldText)), JSONMember("seen", .string(seenText)),
      JSONMember("accepted", .string(acceptedText)),
    ])
  }
}

/// The refusal of a text, with all that is wrong with it: at most `NotificationLimits.faults` faults.
public struct Refusal: Error, Equatable, Sendable {
  public let faults: [Fault]

  /// All of them in one line, each with its field.
  public var text: String {
    var text = ""
    for fault in faults {
      if !text.isEmpty { text += " " }
      text += fault.field.isEmpty ? fault.sentence : fault.field + ": " + fault.sentence
    }
    return text
  }
}

extension Result where Failure == Refusal {
  /// The faults that a check finds in a JSON text; for a text that is no JSON, the place where it ends to be one.
  static func reading(_ text: [UInt8], _ check: (JSONValue) -> Self) -> Self {
    do throws(JSONFault) {
      return check(try JSONReader.read(text))
    } catch {
      var faults = Faults()
      faults.refuse(error)
      return .failure(faults.refusal)
    }
  }
}

/// A field of an object: the object's own path, such as "actions[1].", and the name.
struct Field {
  var path: [UInt8]
  var name: StaticString

  init(_ path: [UInt8] = [], _ name: StaticString) {
    (self.path, self.name) = (path, name)
  }

  var text: [UInt8] { path + utf8(name) }

  /// The path of the members of an object in this field.
  var within: [UInt8] { text + [0x2E] }

  /// The path of the members of an entry of the list in this field.
  func within(_ index: Int) -> [UInt8] { entry(index) + [0x2E] }

  func entry(_ index: Int) -> [UInt8] { text + [0x5B] + digits(Int64(index)) + [0x5D] }
}

/// The values that a field accepts, as the end of a fault's sentence.
enum Accepted {
  case words(StaticString)
  case text(ClosedRange<Int>)
  case integer(ClosedRange<Int>)
  case list(StaticString, ClosedRange<Int>)
  case bytes(Int)
  /// The type of the content, which a hint contradicts.
  case type(MediaType)

  var text: [UInt8] {
    func between(_ range: ClosedRange<Int>) -> [UInt8] {
      digits(Int64(range.lowerBound)) + utf8(" to ") + digits(Int64(range.upperBound))
    }
    switch self {
    case .words(let words): return utf8(words)
    case .text(let range): return utf8("a text of ") + between(range) + utf8(" bytes is accepted")
    case .integer(let range): return utf8("a whole number from ") + between(range) + utf8(" is accepted")
    case .list(let what, let range):
      return utf8("a list of ") + between(range) + utf8(" ") + utf8(what) + utf8(" is accepted")
    case .bytes(let most): return utf8("at most ") + digits(Int64(most)) + utf8(" bytes are accepted")
    case .type(let type): return utf8(type.mime) + utf8(" is accepted, which the content is")
    }
  }
}

/// Gathers the faults while a value is read, so that all of them are told at once.
struct Faults {
  private(set) var all: [Fault] = []

  var isEmpty: Bool { all.isEmpty }
  var refusal: Refusal { Refusal(faults: all) }

  mutating func refuse(_ field: [UInt8], seen: [UInt8], _ accepted: Accepted) {
    guard all.count < NotificationLimits.faults else { return }
    let end = endOfCharacter(seen, bytes: NotificationLimits.seenBytes)
    let shown = end < seen.count ? Array(seen[..<end]) + utf8("…") : seen
    all.append(Fault(fieldText: field, seenText: shown, acceptedText: accepted.text))
  }

  mutating func refuse(_ field: Field, _ seen: JSONValue?, _ accepted: Accepted) {
    refuse(field.text, seen: seen.map { $0.text } ?? utf8("missing"), accepted)
  }

  mutating func refuse(_ fault: JSONFault) {
    refuse([], seen: utf8("byte ") + digits(Int64(fault.position)), .words(fault.accepted))
  }

  /// Refuses what is no object.
  /// - Parameter field: its path; empty for the whole.
  mutating func isObject(_ json: JSONValue, at field: @autoclosure () -> [UInt8] = []) -> Bool {
    if json.members != nil { return true }
    refuse(field(), seen: json.text, .words("an object is accepted"))
    return false
  }

  // MARK: Fields of an object; nil if they are absent or refused

  mutating func text(_ object: JSONValue, _ field: Field, _ bytes: ClosedRange<Int>) -> [UInt8]? {
    guard let value = object[field.name] else { return nil }
    guard let text = value.utf8Text, bytes.contains(text.count) else {
      refuse(field, value, .text(bytes))
      return nil
    }
    return text
  }

  /// A text that has to be there and be more than nothing.
  mutating func required(_ object: JSONValue, _ field: Field, _ bytes: ClosedRange<Int>) -> [UInt8] {
    if object[field.name] == nil { refuse(field, nil, .text(bytes)) }
    return text(object, field, bytes) ?? []
  }

  mutating func integer(_ object: JSONValue, _ field: Field, _ range: ClosedRange<Int>) -> Int? {
    guard let value = object[field.name] else { return nil }
    guard let number = value.integer, number >= Int64(range.lowerBound), number <= Int64(range.upperBound) else {
      refuse(field, value, .integer(range))
      return nil
    }
    return Int(number)
  }

  mutating func bool(_ object: JSONValue, _ field: Field) -> Bool? {
    guard let value = object[field.name] else { return nil }
    if value.bool == nil { refuse(field, value, .words("true or false is accepted")) }
    return value.bool
  }

  mutating func object(_ object: JSONValue, _ field: Field) -> JSONValue? {
    guard let value = object[field.name] else { return nil }
    guard value.members != nil else {
      refuse(field, value, .words("an object is accepted"))
      return nil
    }
    return value
  }

  mutating func list(
    _ object: JSONValue, _ field: Field, of what: StaticString, _ count: ClosedRange<Int>
  ) -> [JSONValue] {
    guard let value = object[field.name] else { return [] }
    guard let list = value.list, count.contains(list.count) else {
      refuse(field, value, .list(what, count))
      return []
    }
    return list
  }

  /// A text that is one of a few words.
  mutating func word<Word: Named>(_ object: JSONValue, _ field: Field, _ type: Word.Type) -> Word? {
    guard let value = object[field.name] else { return nil }
    guard let text = value.utf8Text, let word = Word(named: text) else {
      refuse(field, value, .words(Word.accepted))
      return nil
    }
    return word
  }

  /// A list of such words, each once.
  mutating func words<Word: Named>(_ object: JSONValue, _ field: Field, _ type: Word.Type) -> [Word] {
    guard let value = object[field.name] else { return [] }
    var words: [Word] = []
    for entry in value.list ?? [.null] {
      guard let text = entry.utf8Text, let word = Word(named: text), !words.contains(word) else {
        refuse(field, value, .words(Word.accepted))
        return []
      }
      words.append(word)
    }
    return words
  }
}

/// An enumeration whose cases have names in JSON.
protocol Named: Equatable {
  static var names: [(StaticString, Self)] { get }
  static var accepted: StaticString { get }
}

extension Named {
  init?(named text: [UInt8]) {
    for (name, word) in Self.names where isEqual(text, name) {
      self = word
      return
    }
    return nil
  }

  var name: [UInt8] {
    for (name, word) in Self.names where word == self { return utf8(name) }
    return []
  }
}
