/// Parses an event stream as a browser does (WHATWG HTML section 9.2.6).
public struct EventStream {
  public struct Event: Equatable {
    public var type: String
    public var data: String
    public var lastID: String

    public init(type: String = "message", data: String, lastID: String = "") {
      self.type = type
      self.data = data
      self.lastID = lastID
    }
  }
  public private(set) var events: [Event] = []
  public private(set) var comments: [String] = []
  public private(set) var retry: Int?
  public private(set) var lastID = ""

  public init(_ bytes: [UInt8]) {
    var (type, data): (String, String?) = ("", nil)
    var rest = bytes[...]
    while let end = rest.firstIndex(where: { $0 == 10 || $0 == 13 }) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      let isPair = rest[end...].starts(with: [13, 10])
      rest = rest[(end + (isPair ? 2 : 1))...]
      if line.isEmpty {
        if let data { events.append(Event(type: type.isEmpty ? "message" : type, data: data, lastID: lastID)) }
        (type, data) = ("", nil)
        continue
      }
      let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
      var value = line[colon...].utf8.dropFirst()
      if value.first == 32 { value = value.dropFirst() }
      let text = String(decoding: value, as: UTF8.self)
      switch line[..<colon] {
      case "": comments.append(text)
      case "event": type = text
      case "data": data = data.map { $0 + "\n" + text } ?? text
      case "id": if !text.utf8.contains(0) { lastID = text }
      case "retry": if text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) { retry = Int(text) }
      default: break
      }
    }
  }
}
