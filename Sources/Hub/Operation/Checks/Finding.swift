/// A finding of `eightbells doctor` about one part of an installation.
public struct Finding: Equatable, Sendable {
  public enum Verdict: String, CaseIterable, Sendable {
    case ok
    /// The hub works, but not as well or not for as long as it should.
    case warning
    /// The hub does not work, or not all of it.
    case problem
  }

  public var verdict: Verdict
  /// The part in a word or two: "data folder".
  public var subject: String
  /// The state found, in one line.
  public var text: String
  /// The remedy in one or two sentences, with a command if there is one. Empty if all is well.
  public var remedy: String

  private init(_ verdict: Verdict, _ subject: String, _ text: String, remedy: String) {
    self.verdict = verdict
    self.subject = subject
    self.text = text
    self.remedy = remedy
  }

  /// The same with its texts changed.
  public func mapped(_ change: (String) -> String) -> Finding {
    Finding(verdict, change(subject), change(text), remedy: change(remedy))
  }

  public static func ok(_ subject: String, _ text: String) -> Finding { Finding(.ok, subject, text, remedy: "") }
  public static func warning(_ subject: String, _ text: String, remedy: String) -> Finding {
    Finding(.warning, subject, text, remedy: remedy)
  }
  public static func problem(_ subject: String, _ text: String, remedy: String) -> Finding {
    Finding(.problem, subject, text, remedy: remedy)
  }
}

/// The thresholds of the checks.
package enum CheckLimits {
  /// Free bytes below which SQLite's log may not have room for one more large calendar (20 MB each, a few at once).
  package static let freeBytesProblem = 64 << 20
  /// Free bytes below which somebody should act before the club's pictures fill the rest.
  package static let freeBytesWarning = 512 << 20
  /// Free inodes: the log and its index need two, blobs one each.
  package static let freeFilesProblem = 100
  package static let freeFilesWarning = 10_000
  /// Days of validity left: people who renew by hand need some; Let's Encrypt's clients renew 30 days ahead, so with
  /// this much left they have failed for two weeks.
  package static let certificateDays = 14.0
  /// The share of its validity that a certificate of a few days has left: certbot and others renew at a third.
  package static let certificateShare = 0.25
  /// The beginning of 2026: no Eightbells was built earlier, so a clock before it has lost its battery.
  package static let earliest = 1_767_225_600.0
  /// The beginning of 2100.
  package static let latest = 4_102_444_800.0
  /// Descriptors below which a full club's phones cannot all connect.
  package static let descriptors = 1_024
}
