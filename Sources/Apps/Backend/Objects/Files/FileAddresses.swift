import Hub
import Objects
import Server
import Wire

/// The addresses of an app's files. An object is kept with the address that its file had when it was written; since
/// then the hub may have got another one, or the object another app by an import. So each answer says today's.
struct FileAddresses: Hashable, Sendable {
  static let path = "\(ParseRoutes.mount)/files/"

  private let applicationID: String
  /// The hub's base address; nil for the one that stands in the object.
  private let base: String?

  init(_ app: App, base: String?) { (applicationID, self.base) = (app.applicationID, base) }

  /// Those for whoever sends a request.
  init(_ app: App, _ hub: Hub, for request: Request) { self.init(app, base: hub.address(request)) }

  func address(of name: FileName) -> String { address(of: name, base ?? "") }

  private func address(of name: FileName, _ base: some StringProtocol) -> String {
    "\(base)\(Self.path)\(applicationID)/\(name.text.replacing(" ", with: "%20"))"
  }

  /// The value with today's addresses of the hub's files in it; those of others stay.
  func renewed(_ json: JSON) -> JSON { changed(json) ?? json }

  /// Nil if nothing is to be changed.
  private func changed(_ json: JSON) -> JSON? {
    switch json {
    case .array(var values):
      var isChanged = false
      for index in values.indices {
        guard let new = changed(values[index]) else { continue }
        (values[index], isChanged) = (new, true)
      }
      return isChanged ? .array(values) : nil
    case .object(var members):
      if json["__type"] == "File" { return file(json) }
      var isChanged = false
      for index in members.indices {
        guard let new = changed(members[index].value) else { continue }
        (members[index].value, isChanged) = (new, true)
      }
      return isChanged ? .object(members) : nil
    default: return nil
    }
  }

  private func file(_ json: JSON) -> JSON? {
    guard let text = json["name"]?.string, let name = FileName(text) else { return nil }
    let known = json["url"]?.string ?? ""
    guard known.isEmpty || known.contains(Self.path) else { return nil }
    let before = known.firstRange(of: Self.path).map { known[..<$0.lowerBound] } ?? ""
    let url = address(of: name, base.map { $0[...] } ?? before)
    return url == known ? nil : ["__type": "File", "name": .string(text), "url": .string(url)]
  }
}
