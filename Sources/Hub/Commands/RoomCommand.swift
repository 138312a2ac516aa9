public import EventLoop
public import Settings
public import Terminal

/// Something that a person does in a room by typing it, such as `eightbells space open`. Its first word is the room's
/// id.
public struct RoomCommand: Sendable {
  public enum Work: Sendable {
    /// On a hub's data: the hub is put together as `serve` does it, its rooms are opened, but nothing of it runs.
    case onData(@Sendable (Hub, Arguments) async throws -> Void)
    /// Without a hub's data, such as over the network.
    case alone(@Sendable (EventLoop, Arguments) async throws(CommandError) -> Void)
  }
  public let verb: Verb
  public let work: Work

  /// A command that works on a hub's data, which `--data DIR` names, also while that hub runs. It changes something by
  /// `hub.commit(as: .commandLine)`, and the running hub finds it in the store; its live events reach nobody.
  /// - Parameter usage: the options but for `--data DIR`, as the help shows them.
  /// - Throws: in `work`, refusals of `hub.commit` and `CommandError`s end the command with their words.
  public init(
    onData name: String, operands: [String] = [], usage: String = "", options: [Option] = [], summary: String,
    _ work: @escaping @Sendable (Hub, Arguments) async throws -> Void
  ) {
    verb = Verb(
      name, operands: operands, usage: usage.isEmpty ? "--data DIR" : "--data DIR \(usage)",
      options: [Verb.data] + options, summary: summary)
    self.work = .onData(work)
  }

  /// A command that needs no hub's data.
  public init(
    alone verb: Verb, _ work: @escaping @Sendable (EventLoop, Arguments) async throws(CommandError) -> Void
  ) {
    self.verb = verb
    self.work = .alone(work)
  }
}
