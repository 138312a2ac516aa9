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
  private let parts: Mutex<[any SettingsPart]>

  init(_ first: any SettingsPart) { parts = Mutex([first]) }

  public func add(_ part: any SettingsPart) { parts.withLock { $0.append(part) } }

  var all: [any SettingsPart] { parts.withLock { $0 } }
}
