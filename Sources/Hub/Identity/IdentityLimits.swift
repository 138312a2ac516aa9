import Server

/// The limits of identity, each with its reason.
package enum IdentityLimits {
  /// Seconds for which a one-time link is valid: enough to walk to the other device.
  package static let linkSeconds = 600.0
  /// Seconds for which a code is valid, since it is short enough to be guessed in the long run.
  package static let codeSeconds = 600.0
  /// The most days for which an invitation's link is valid: it waits among somebody's mail.
  package static let invitationDays = 7
  /// Days for which used and expired links are remembered, so that latecomers get an explanation.
  package static let rememberedDays = 30.0

  /// Bytes of a link's or session's secret: 192 bits cannot be guessed.
  static let secretBytes = 24

  /// Seconds for which a device stays signed in after its last visit; browsers keep no cookie for longer than 400 days.
  package static let sessionSeconds = 365.0 * 86_400

  /// Seconds after which the last visit of a device, or the last use of a token, is written again.
  package static let seenSeconds = 600.0
  /// Seconds by which a clock must go elsewhere at once to have been set, for what counts in months.
  static let clockSetSeconds = 30.0 * 86_400
  /// Seconds for which such notes are collected before they are written together.
  package static let gatherSeconds = 30.0
  /// The most notes of one transaction: a few milliseconds' work.
  static let notesPerWrite = 1_000

  /// Seconds for which the caller found for a token or cookie is remembered.
  static let foundSeconds = 1.0

  /// The limit of wrong codes. A code has 39 bits: with at most two thousand guesses in the ten minutes for which it is
  /// valid, the chance of finding one of ten open codes is one in twenty-seven million.
  static let codeFailures = Attempts.Limit(
    perAddress: Rate(burst: 10, perSecond: 10.0 / 600), overAll: Rate(burst: 1_000, perSecond: 1_000.0 / 600))
  /// The limit of unknown links and tokens. They cannot be guessed; the limit keeps the log small.
  static let secretFailures = Attempts.Limit(
    perAddress: Rate(burst: 60, perSecond: 1), overAll: Rate(burst: 6_000, perSecond: 100))
  /// The most addresses whose failures are remembered: more than the overall limit permits at once.
  static let failingAddresses = 20_000
  /// Seconds for which failures are remembered: until the slowest bucket is full again.
  static let failureSeconds = 600.0

  /// Wrong guesses with a code's first letters, after which that code is void; its link stays valid.
  package static let failuresPerCode = 5

  /// People, devices and open links of each, and tokens: more than any club has, so that no mistake fills the disk.
  package static let people = 10_000
  package static let devicesPerPerson = 100
  package static let openLinks = 100
  package static let tokens = 1_000
  /// Topics to which one token can be limited, and bytes of a topic's id: it is typed, and part of addresses.
  package static let topicsOfToken = 50
  package static let topicID = 64
  /// Used and expired links that are remembered per maker, since making and using them in a loop would fill the disk.
  package static let rememberedLinks = 100

  /// The largest integer that every JSON parser represents exactly (RFC 8259 section 6).
  static let largestID = 1 << 53 - 1
  /// Entries of the audit in one answer.
  static let auditEntries = 100

  /// Days for which the audit is kept.
  package static let auditDays = 365.0
  /// Entries of the audit kept per person, token, and for the command line: some thirteen for each day of a year.
  /// Whoever acts in a loop displaces only their own entries.
  package static let auditEntriesOfOne = 5_000
  /// Entries of the audit kept in all: for a club of a hundred people more than one each day of a year; some 10 MB.
  package static let auditEntriesKept = 50_000
  /// New entries after which old ones are removed; so many more may be kept. Counting takes a few milliseconds, for
  /// which all writers wait.
  package static let auditRoom = 1_000

  // MARK: Repeated requests

  /// Bytes of an Idempotency-Key.
  static let idempotencyKey = 255
  /// The fewest bytes of one with which a device is signed in: 22 of Base64 have 128 bits. Somebody else who has the
  /// link must not guess it.
  static let signInKey = 22
  /// Days for which the answer to a request with a key is kept.
  static let answerDays = 7
  /// Answers kept per caller, checked after each so many: enough for one a minute for a week.
  static let answersOfOne = 10_000
  static let answersRoom = 100
  /// Seconds between two looks whether the same request, which came before, is done.
  static let repeatedLookSeconds = 0.2
}
