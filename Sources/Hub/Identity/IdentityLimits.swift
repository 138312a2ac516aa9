import Server

/// The limits of identity, each with its reason.
package enum IdentityLimits {
  /// Seconds a one-time link is good for: long enough to walk to the other device.
  package static let linkSeconds = 600.0
  /// Seconds a code is good for. It is short enough to be guessed if it were good for long.
  package static let codeSeconds = 600.0
  /// Days an invitation's link can be good for at most: it waits in somebody's letters.
  package static let invitationDays = 7
  /// Days for which it is remembered that a link was used or has ended, so that whoever comes late is told.
  package static let rememberedDays = 30.0

  /// Bytes of a link's and a session's secret: 192 bits cannot be guessed.
  static let secretBytes = 24

  /// Seconds a device stays signed in after it was last seen; browsers keep no cookie for longer than 400 days.
  package static let sessionSeconds = 365.0 * 86_400

  /// Seconds that may pass before it is written down anew when a device or a token was last seen.
  package static let seenSeconds = 600.0
  /// Seconds for which such notes are gathered, to be written together.
  package static let gatherSeconds = 30.0
  /// Notes written in one transaction: a few milliseconds' work.
  static let notesPerWrite = 1_000

  /// Seconds for which it counts who was found behind a request.
  static let foundSeconds = 1.0

  /// Codes that were typed wrongly. A code has 39 bits: at most two thousand guesses in the ten minutes it is good for
  /// find one of ten open ones once in twenty-seven million times.
  static let codeFailures = Attempts.Limit(
    perAddress: Rate(burst: 10, perSecond: 10.0 / 600), overAll: Rate(burst: 1_000, perSecond: 1_000.0 / 600))
  /// Links and tokens that are unknown. They cannot be guessed; whoever tries is not to fill the log.
  static let secretFailures = Attempts.Limit(
    perAddress: Rate(burst: 60, perSecond: 1), overAll: Rate(burst: 6_000, perSecond: 100))
  /// Addresses whose failures are remembered: more than all of them together may have at once.
  static let failingAddresses = 20_000
  /// Seconds for which they are: as long as it takes until all is forgiven.
  static let failureSeconds = 600.0

  /// Wrong guesses that begin as a code does, after which that code is void; its link stays good.
  package static let failuresPerCode = 5

  /// People, devices and open links of each, and tokens: more than any club has, so that no mistake fills the disk.
  package static let people = 10_000
  package static let devicesPerPerson = 100
  package static let openLinks = 100
  package static let tokens = 1_000
  /// Links of one maker of which it is remembered that they were used or have ended: else whoever makes and uses them
  /// in a loop fills the disk.
  package static let rememberedLinks = 100

  /// The largest number that every reader of JSON holds exactly (RFC 8259 section 6).
  static let largestID = 1 << 53 - 1
  /// Entries of one answer about who did what.
  static let auditEntries = 100

  /// Days for which it is kept who did what.
  package static let auditDays = 365.0
  /// Entries that are kept of what one person, one token or the command line did: some thirteen on each day of a year.
  /// Whoever does something in a loop pushes out what they did themselves, and nothing of others'.
  package static let auditEntriesOfOne = 5_000
  /// Entries that are kept of everybody: of a club of a hundred more than one on each day of a year; some 10 MB.
  package static let auditEntriesKept = 50_000
  /// After so many new entries room is made again: by so many there may be more than the above. Counting takes a few
  /// milliseconds, for which all writers wait.
  package static let auditRoom = 1_000

  // MARK: Requests that are sent again

  /// Bytes of an Idempotency-Key.
  static let idempotencyKey = 255
  /// Days for which the answer to one is kept.
  static let answerDays = 7
  /// Answers kept for one caller, looked at after every so many: who sends one a minute for a week has them all.
  static let answersOfOne = 10_000
  static let answersRoom = 100
}
