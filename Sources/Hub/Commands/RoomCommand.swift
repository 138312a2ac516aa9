public import EventLoop
public import Settings
public import Terminal

/// A room's command, such as `eightbells space open`. Its first word is one of `RoomPlan.commandWords`.
public struct RoomCommand: Sendable {
  public enum Work: Sendable {
    /// Works on a hub's data: the hub is composed as by `serve` and its rooms are opened, but no background work runs.
    case onData(@Sendable (Hub, Arguments) async throws -> Void)
    /// Works without a hub's data, such as over the network.
    case alone(@Sendable (EventLoop, Arguments) async throws(CommandError) -> Void)
  }
  public let verb: Verb
  public let work: Work

  /// The first word of its name.
  public var firstWord: String { String(verb.name.prefix { $0 != " " }) }

  /// A command that works on a hub's data, given by `--data DIR`, also while that hub runs. It makes changes by
  /// `hub.commit(as: .commandLine)`, which the running hub finds in the store; its live events reach nobody.
  /// - Parameter usage: the options except `--data DIR`, as in the help.
  /// - Throws: errors of `hub.commit` and `CommandError`s thrown by `work` end the command with their messages.
  public init(
    onData name: String, operands: [String] = [], usage: String = "", options: [Option] = [], summary: String,
    _ work: @escaping @Sendable (Hub, Arguments) async throws -> Void
  ) {
    verb = Verb(
      name, operands: operands, usage: usage.isEmpty ? "--data DIR" : "--data DIR \(usage)",
      options: [Verb.data] + options, summary: summary)
    self.work = .onData(work)
  }

  /// A command that does not need a hub's data.
  public init(
    alone verb: Verb, _ work: @escaping @Sendable (EventLoop, Arguments) async throws(CommandError) -> Void
  ) {
    self.verb = verb
    self.work = .alone(work)
  }
}
