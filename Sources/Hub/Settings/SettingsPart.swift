public import Server
public import Store
import Synchronization
public import Wire

/// A part of the settings, which an owner reads and saves as one: the hub's place is one, and rooms add theirs.
public protocol SettingsPart: Sendable {
  /// The names of its fields.
  var fields: [String] { get }

  /// All its fields as they are kept, and those of which nothing is kept as they are without it; nil for a part
  /// without which there are no settings yet.
  func kept(in database: Database) throws(StoreError) -> [JSON.Member]?

  /// Takes its fields out of what was sent, and notes in `check` what is wrong with them.
  /// - Returns: nil where it lacks what it needs.
  func read(_ check: inout FieldCheck) -> SettingsDraft?

  /// Returns once whoever asks the room finds what was saved.
  func settled() async
}

extension SettingsPart {
  public func settled() async {}
}

/// A part that was sent, and in which nothing is wrong.
public struct SettingsDraft: Sendable {
  /// All its fields, as they are told once they are saved.
  let members: [JSON.Member]
  /// Writes it, in the one change that saves all parts.
  let save: @Sendable (Change) throws -> Void

  public init(_ members: [JSON.Member], save: @escaping @Sendable (Change) throws -> Void) {
    self.members = members
    self.save = save
  }
}

/// The parts that there are. They are saved in their order, the hub's place first.
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
  ///   - address: at which all settings are read and saved; several rooms may name the same one.
  ///   - order: of the fields, as far as callers are used to one: the place's and those of the part. Those that a later
  ///     room names stand behind.
  public func add(_ part: any SettingsPart, at address: String, order: [String]) {
    state.withLock { state in
      state.parts.append(part)
      if !state.addresses.contains(address) { state.addresses.append(address) }
      state.order += order.filter { !state.order.contains($0) }
    }
  }

  /// Before an owner has said anything of the place.
  public var notSetUp: HTTPError {
    HTTPError(
      .notSetUp, "The space has no settings yet.",
      help: "The owner sends them: PUT \(addresses.first ?? "with the rooms that have some").")
  }

  var all: [any SettingsPart] { state.withLock { $0.parts } }
  var addresses: [String] { state.withLock { $0.addresses } }
  /// The fields in the order in which they are told, and in which what is wrong is told. Others come behind.
  var order: [String] { state.withLock { $0.order } }
}
