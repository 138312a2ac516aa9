public import EventLoop
public import Settings
public import Terminal

extension Verb {
  /// The running hub that a command asks.
  public static let hub = Option("hub", "URL", help: "the hub's address (http://127.0.0.1:8080); or EIGHTBELLS_HUB")
  /// The token with which a command asks it.
  public static let token = Option(
    "token", "TOKEN", help: "a token that may do this; or EIGHTBELLS_TOKEN, which other users cannot see")

  /// True if a command that can do both works on a hub's data: `--data` counts before the address of a hub, and both
  /// before what the environment says.
  public func worksOnData(_ arguments: Arguments) throws(CommandError) -> Bool {
    let environment = environment()
    if arguments.has("data") { return true }
    if arguments.has("hub") || arguments.has("token") { return false }
    if environment["EIGHTBELLS_DATA"] != nil { return true }
    if environment["EIGHTBELLS_HUB"] != nil || environment["EIGHTBELLS_TOKEN"] != nil { return false }
    throw misused("--data is missing: the hub's data folder; or --hub and --token, to ask a running hub.")
  }
}

/// A room's command, such as `eightbells space open`. Its first word is one of `RoomPlan.commandWords`.
public struct RoomCommand: Sendable {
  public enum Work: Sendable {
    /// Works on a hub's data: the hub is composed as by `serve` and its rooms are opened, but no background work runs.
    case onData(@Sendable (Hub, Arguments) async throws -> Void)
    /// Works without a hub's data, such as over the network.
    case alone(@Sendable (EventLoop, Arguments) async throws(CommandError) -> Void)
    /// Works on a hub's data if `--data` names it, or the environment and no address of a hub is given; otherwise over
    /// the network.
    case either(
      onData: @Sendable (Hub, Arguments) async throws -> Void,
      alone: @Sendable (EventLoop, Arguments) async throws(CommandError) -> Void)
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

  /// A command that works on a hub's data or asks the hub over the network, by `--hub` and `--token`.
  public init(
    either name: String, operands: [String] = [], usage: String = "", options: [Option] = [], summary: String,
    onData: @escaping @Sendable (Hub, Arguments) async throws -> Void,
    alone: @escaping @Sendable (EventLoop, Arguments) async throws(CommandError) -> Void
  ) {
    let way = "(--data DIR | --hub URL --token TOKEN)"
    verb = Verb(
      name, operands: operands, usage: usage.isEmpty ? way : "\(way) \(usage)",
      options: [Verb.data, Verb.hub, Verb.token] + options, summary: summary)
    work = .either(onData: onData, alone: alone)
  }

  /// A command that does not need a hub's data.
  public init(
    alone verb: Verb, _ work: @escaping @Sendable (EventLoop, Arguments) async throws(CommandError) -> Void
  ) {
    self.verb = verb
    self.work = .alone(work)
  }
}
