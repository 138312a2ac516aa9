import Notifications
import Wire

/// The work of the command for a silent notification: it has some seconds, is asked to end when few are left, and
/// answers whether there was something new (UIBackgroundFetchResult).
package struct SilentWork {
  /// Seconds that the command has, from its start to its end by force.
  package let seconds: Double
  private let deadline: Deadline

  /// - Parameters:
  ///   - seconds: those that the hub gives; nil for the usual ones, which are also the most.
  ///   - now: seconds since 1970.
  package init(seconds: Double? = nil, now: Double) {
    let most = Double(NotificationLimits.silentSeconds)
    self.seconds = min(max(seconds ?? most, 1), most)
    deadline = Deadline(at: now + self.seconds)
  }

  /// The command is asked to end while it still has the time to write down what it has.
  var bounds: CommandRunner.Bounds {
    let grace = min(AgentLimits.silentGraceSeconds, seconds / 2)
    return CommandRunner.Bounds(seconds: seconds - grace, graceSeconds: grace, mayFinish: true)
  }

  /// The members that the command's line has for it.
  var members: [JSON.Member] { [.init("silent", true), .init("seconds", .double(seconds)), deadline.member] }

  /// The same in its environment.
  var variables: [String] { [deadline.variable] }

  package enum Result: String {
    case newData = "new_data"
    case noData = "no_data"
    case failed = "work_failed"
    case noAnswer = "no_answer"
  }

  /// The first line of what the command wrote.
  package static func result(_ output: [UInt8]) -> Result {
    let text = String(decoding: output, as: UTF8.self).drop { $0.isWhitespace }
    let line = text.prefix { !$0.isNewline }.reversed().drop { $0.isWhitespace }.reversed()
    switch String(line) {
    case "new_data": return .newData
    case "no_data": return .noData
    case "failed": return .failed
    default: return .noAnswer
    }
  }

  func result(_ failure: CommandRunner.Failure) -> Result { if case .late = failure { .noAnswer } else { .failed } }

  /// The code and the detail that the trace at the hub has.
  /// - Parameter took: seconds.
  package func note(_ result: Result, took: Double) -> String {
    "\(result.rawValue):\((took * 10).rounded() / 10)/\(Int(seconds.rounded()))"
  }
}
