import Device
import Wire

/// The work on a notification between its arrival and its display, step by step: each step may change the content, and
/// a step that fails leaves it as it is. One notification at a time. Confined to its loop.
final class BeforeDisplay {
  struct Outcome {
    /// The changed content; nil if it is shown as it was sent.
    var content: JSON?
    /// The code and the detail that the trace at the hub is to have; nil if there is nothing to say.
    var note: String?
  }

  private let keys: AgentKeys
  private let serviceExtension: ServiceExtension
  private let commands: ExtensionCommands

  init(_ keys: AgentKeys, _ serviceExtension: ServiceExtension, _ commands: ExtensionCommands) {
    (self.keys, self.serviceExtension, self.commands) = (keys, serviceExtension, commands)
  }

  /// True for notifications that have to be prepared. Requests of the device's own are shown as they are.
  var isNeeded: @Sendable (Showing) -> Bool {
    { [commands] one in
      !one.isLocal && (AgentKeys.isSealed(one.content) || commands.command(for: one.content) != nil)
    }
  }

  /// Begins; `done` is called once, also after `stop`.
  func begin(_ sent: Showing, _ done: @escaping (Outcome) -> Void) {
    var one = sent
    let opened = keys.opened(sent.content)
    if let opened { one.content = opened }
    guard commands.command(for: one.content) != nil else {
      return done(Outcome(content: opened, note: Self.note(of: one.content)))
    }
    serviceExtension.run(one) { outcome in
      let content = outcome.content ?? opened
      // An extension may open what no key of the agent does.
      done(Outcome(content: content, note: outcome.note ?? Self.note(of: content ?? sent.content)))
    }
  }

  private static func note(of content: JSON) -> String? { AgentKeys.isSealed(content) ? "not_opened" : nil }

  /// Ends the work early.
  func stop() { serviceExtension.stop() }

  /// To be called when a child has ended (SIGCHLD).
  func childEnded() { serviceExtension.childEnded() }

  /// To be called when a notification is taken away: what was fetched for it goes.
  func forget(_ id: String) { serviceExtension.forget(id) }
}
