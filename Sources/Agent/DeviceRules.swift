import Device
package import Notifications
import Wire

/// This device's settings for notifications, and the actions of its categories: `settings.json` in its folder, with
/// `{"settings": {…}, "state": {…}, "categories": [{…}]}` in the forms of `Notifications`. It is looked at before each
/// showing, since the person may change it at any time.
package struct DeviceRules: Equatable, Sendable {
  // Whoever starts an agent wants to hear of notifications.
  package var settings = DeviceSettings(authorization: .authorized)
  package var state = DeviceState()
  package var categories: [Category] = []

  static let file = "settings.json"

  package init() {}

  package struct Fault: Error, Equatable {
    package let message: String
  }

  package init(_ bytes: [UInt8]) throws(Fault) {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw Fault(message: "line \(error.line), column \(error.column): \(error.message); JSON is accepted.")
    }
    guard json.members != nil else { throw Fault(message: "\(json.text.prefix(60)); an object is accepted.") }
    if case .object(var members)? = json["settings"] {
      if json["settings"]?["authorization"] == nil { members.append(.init("authorization", "authorized")) }
      settings = try Self.checked("settings", DeviceSettings.check(JSON.object(members).bytes))
    } else if let other = json["settings"] {
      settings = try Self.checked("settings", DeviceSettings.check(other.bytes))
    }
    if let part = json["state"] { state = try Self.checked("state", DeviceState.check(part.bytes)) }
    guard let list = (json["categories"] ?? []).array else {
      throw Fault(message: "categories: \(json["categories"]?.text.prefix(60) ?? ""); a list is accepted.")
    }
    for (index, part) in list.enumerated() {
      categories.append(try Self.checked("categories[\(index)]", Category.check(part.bytes)))
    }
  }

  private static func checked<Part>(_ name: String, _ result: Result<Part, Refusal>) throws(Fault) -> Part {
    switch result {
    case .success(let part): return part
    case .failure(let refusal): throw Fault(message: "\(name): \(refusal.text)")
    }
  }

  package func category(of content: Content) -> Category? { categories.first { $0.id == content.category } }

  /// The way in which the device presents a content.
  /// - Parameter isKnown: true if an earlier version was shown, or this one perhaps: it does not ring.
  package func presentation(of content: Content, isKnown: Bool) -> Presentation {
    var presentation = Presentation(content, of: category(of: content), settings: settings, state: state)
    if isKnown { (presentation.sound, presentation.vibration) = (false, false) }
    return presentation
  }
}

/// The file of the rules, read again when it has changed.
final class DeviceRulesFile {
  private let folder: StateFolder
  private var bytes: [UInt8]?
  private(set) var rules = DeviceRules()

  init(_ folder: StateFolder) { self.folder = folder }

  /// - Returns: what is wrong with a file that was changed; the rules stay as they were then.
  func look() -> String? {
    let now = folder.read(DeviceRules.file, atMost: AgentLimits.settingsBytes)
    guard now != bytes else { return nil }
    bytes = now
    do throws(DeviceRules.Fault) {
      rules = try now.map { (bytes) throws(DeviceRules.Fault) in try DeviceRules(bytes) } ?? DeviceRules()
      return nil
    } catch {
      return error.message
    }
  }
}
