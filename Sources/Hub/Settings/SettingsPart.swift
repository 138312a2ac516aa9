public import Server
public import Store
import Synchronization
public import Wire

/// A part of the settings, read and saved together with the others: the hub's place is one, and rooms add theirs.
public protocol SettingsPart: Sendable {
  /// The names of its fields.
  var fields: [String] { get }

  /// All its fields with their stored values, or else their defaults; nil for a part without which the settings are not
  /// set up.
  func kept(in database: Database) throws(StoreError) -> [JSON.Member]?

  /// Reads its fields from a request, and records errors in `check`.
  /// - Returns: nil if a required field is missing or wrong.
  func read(_ check: inout FieldCheck) -> SettingsDraft?

  /// Waits until the room's answers include what was saved.
  func settled() async
}

extension SettingsPart {
  public func settled() async {}
}

/// A valid part of a request.
public struct SettingsDraft: Sendable {
  /// All its fields, as in the answer.
  let members: [JSON.Member]
  /// Writes them, in the one change that saves all parts.
  let save: @Sendable (Change) throws -> Void

  public init(_ members: [JSON.Member], save: @escaping @Sendable (Change) throws -> Void) {
    self.members = members
    self.save = save
  }
}

/// All parts, saved in their order, the hub's place first.
public final class SettingsParts: Sendable {
  private struct State {
    var parts: [any SettingsPart]
    var addresses: [String] = []
    var order: [String] = []
  }
  private let state: Mutex<State>

  init(_ first: any SettingsPart) { state = Mutex(State(parts: [first])) }

  /// Adds a room's part.
  /// - Parameters:
  ///   - address: the path of the settings; several rooms may name the same one.
  ///   - order: the order of the place's and the part's fields in answers. Fields that only a later room names follow.
  public func add(_ part: any SettingsPart, at address: String, order: [String]) {
    state.withLock { state in
      state.parts.append(part)
      if !state.addresses.contains(address) { state.addresses.append(address) }
      state.order += order.filter { !state.order.contains($0) }
    }
  }

  /// The error of reading the settings before the place is set up.
  public var notSetUp: HTTPError {
    HTTPError(
      .notSetUp, "There are no settings yet.",
      help: "The owner sends them: PUT \(addresses.first ?? "with the rooms that have some").")
  }

  var all: [any SettingsPart] { state.withLock { $0.parts } }
  var addresses: [String] { state.withLock { $0.addresses } }
  /// The order of the fields in answers and errors; others follow.
  var order: [String] { state.withLock { $0.order } }
}
