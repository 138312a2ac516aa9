import Server

/// The limits of what is sent to clients, each with its reason.
enum SentLimits {
  /// Of one portfolio: a photographer's clients of some years.
  static let ofPortfolio = 500
  /// Pictures that one has: a day's work, and one answer's.
  static let pictures = 2_000
  static let galleries = 500
  static let title = 100
  static let text = 4_000
  /// Random characters of a link: 131 bits.
  static let linkCharacters = 22
  static let pinDigits = 4...12

  /// Wrong PINs after which one waits, and after which the link is locked until its photographer sets another one.
  static let triesBeforeWait = 10
  static let triesInAll = 100
  /// Seconds of the first wait; each further one is twice as long, up to the longest.
  static let wait = 60.0
  static let longestWait = 3_600.0
  /// Seconds for which a client who knew the PIN is let in, and the clients of one link who are.
  static let tokenSeconds = 30 * 86_400.0
  static let tokens = 200

  /// Clients of one link, with those who only look: the guests of a wedding; and marks of one link in all.
  static let clients = 1_000
  static let marks = 5_000
  static let marksAtOnce = 100
  static let remark = 2_000
  /// Characters of all remarks of one link: a whole wedding's. Each client is told all of its own at once.
  static let remarks = 500_000
  static let name = 100
  /// Bytes, since a letter with its marks may have thousands.
  static let idCharacters = 8...40
  /// Seconds for which marks are gathered before they ring, and between two such rings of one link.
  static let gatherSeconds = 60.0
  static let ringSeconds = 600.0
  /// Seconds for which a withdrawn one stays in the list, unless its place is needed.
  static let keptSeconds = 30 * 86_400.0
  /// Addresses of one mail.
  static let addresses = 20

  /// Requests of clients, who are strangers: a player asks for all its pictures.
  static let reads = RouteRate(
    "sent portfolios", strangers: Rate(burst: 4_000, perSecond: 80), known: Rate(burst: 4_000, perSecond: 80))
  /// Looks at all that was sent: thousands of rows, and a megabyte to be packed. A page takes one every few minutes; a
  /// whole party may open a link behind one address.
  static let looks = RouteRate(
    "looks at sent portfolios", strangers: Rate(burst: 200, perSecond: 4), known: Rate(burst: 200, perSecond: 4))
  static let writes = RouteRate(
    "clients of portfolios", strangers: Rate(burst: 60, perSecond: 1), known: Rate(burst: 60, perSecond: 1))
  /// The page asks once for each address; whoever names several is counted for each of them as well.
  static let mailRate = Rate(burst: 20, perSecond: 0.4)
  static let mails = RouteRate("mails to clients", strangers: mailRate, known: mailRate)
  /// Seconds in which that is full again, and people whose mails are counted.
  static let mailSeconds = 60.0
  static let mailers = 2_000
}
