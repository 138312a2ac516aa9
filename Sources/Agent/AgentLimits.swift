import Device
import Notifications

/// The limits of this module.
enum AgentLimits {
  /// Seconds after which the agent is connected and quiet, as a rule.
  static let startSeconds = 20.0
  /// Seconds that an extension has before a notification is shown (UNNotificationServiceExtension: about 30 s).
  static let extensionSeconds = 30.0
  /// Bytes of an extension's answer, as the rules read it: a content in pretty print.
  static let extensionBytes = NotificationLimits.textBytes
  /// Notifications whose attached files are kept, and the bytes of all of them: some films, or many pictures.
  static let attachmentFolders = 64
  static let attachmentBytes = 256 << 20
  /// Seconds before the end of a silent notification's time at which its command is asked to end.
  static let silentGraceSeconds = 5.0
  /// Seconds that the command has for one notification; the next ones wait for it. Enough for a sound of 30 s, and for
  /// somebody to press a button.
  static let commandSeconds = 120.0
  /// Attempts to start the command, and the seconds between two: a machine that has no processes or no memory left has
  /// some again soon.
  static let attempts = 5
  static let attemptSeconds = 1.0
  /// Seconds between the request to end and the end by force.
  static let graceSeconds = 3.0
  /// Seconds after the command's end in which its output may come to an end; what it left in the background may hold it
  /// open for ever.
  static let outputSeconds = 1.0
  /// Seconds until another attempt when requests could not be kept.
  static let retrySeconds = 60.0
  /// Seconds after which a hub that did not know the secret is asked again by an agent that goes on without it.
  static let unknownSeconds = 600.0
  /// Bytes of the command's output: an answer is a word or a small object.
  static let answerBytes = 16 << 10
  /// Seconds in which somebody must read what the agent writes to standard output.
  static let readerSeconds: Int32 = 10
  /// Bytes of the file of settings.
  static let settingsBytes = 64 << 10
  /// Bytes of the flight recorder's text: some 800 lines.
  static let flightBytes = 64 << 10
  /// Bytes of a line of the flight recorder.
  static let flightLineBytes = 500
  /// Bytes of a secret; the hub's have 64.
  static let secretBytes = 256
}

/// The exit statuses besides 0 (ended by a signal), 1 (failed) and 2 (wrong command line).
enum AgentExit {
  /// A newer agent with the same secret is connected.
  static let replaced: Int32 = 3
  /// The hub does not know the secret (any more).
  static let refused: Int32 = 4
}

extension DeviceSession.EndReason {
  /// A word for the flight recorder, a sentence for people, and the exit status.
  var words: (name: String, message: String, code: Int32) {
    switch self {
    case .replaced:
      let message =
        "A newer agent with the same secret is connected, so this one has ended. Each device needs a secret of its "
        + "own: `eightbells device create` makes one."
      return ("replaced", message, AgentExit.replaced)
    case .removed:
      let message = "The hub has removed this device; `eightbells device create` makes another."
      return ("removed", message, AgentExit.refused)
    case .unknownSecret:
      let message = "The hub does not know this secret; `eightbells device create` prints it."
      return ("unknown secret", message, AgentExit.refused)
    }
  }
}
