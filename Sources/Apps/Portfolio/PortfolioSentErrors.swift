import Hub
import Server

/// The errors of what is sent to clients.
extension ErrorCode {
  static let nothingToSend = Self(40086)
  static let allPrivate = Self(40087)
  static let tooManyPicturesSent = Self(40088)
  static let asksForPIN = Self(40186)
  static let wrongPIN = Self(40386)
  static let noSuchSent = Self(40489)
  static let tooManySent = Self(40986)
  static let tooManyMarks = Self(40987)
  static let noMailer = Self(40988)
  static let sentHasEnded = Self(41086)
  static let linkLocked = Self(42386)
  static let pinWaits = Self(42986)
  static let tooManyFiles = Self(50386)

  static let ofSent: [ErrorCode] = [
    .nothingToSend, .allPrivate, .tooManyPicturesSent, .asksForPIN, .wrongPIN, .noSuchSent, .tooManySent,
    .tooManyMarks, .noMailer, .sentHasEnded, .linkLocked, .pinWaits, .tooManyFiles,
  ]
}

extension HTTPError {
  static let nothingToSend = HTTPError(
    .nothingToSend, "There is no picture in what was chosen.", help: "Sync the portfolio, or choose other galleries.")
  static let allPrivate = HTTPError(
    .allPrivate, "All that was chosen is private at its source.",
    help: "Send \"private\": true if the client may see private pictures.")
  static let tooManyPicturesSent = HTTPError(
    .tooManyPicturesSent, "At most \(SentLimits.pictures) pictures go with one link.", help: "Send them in parts.")
  static let asksForPIN = HTTPError(
    .asksForPIN, "This link asks for a PIN.", help: "POST …/open {\"pin\": \"2468\"} gives a token.")
  static let wrongPIN = HTTPError(.wrongPIN, "That is not the PIN.", help: "Ask whoever has sent you the link.")
  static let noSuchSent = HTTPError(
    .noSuchSent, "There is nothing at this link.", help: "Ask whoever has sent it to you.")
  static let tooManySent = HTTPError(
    .tooManySent, "The portfolio was sent \(SentLimits.ofPortfolio) times.", help: "Withdraw some that are not needed.")
  static let tooManyMarks = HTTPError(
    .tooManyMarks, "The link has as many marks or clients as there can be.", help: "Ask for a link of your own.")
  static let noMailer = HTTPError(
    .noMailer, "This hub sends no e-mail.", help: "Copy the link, or ask an owner to set a mail server (smtp).")
  static let sentHasEnded = HTTPError(
    .sentHasEnded, "This link has ended.", help: "Ask whoever has sent it to you for another one.")
  static let linkLocked = HTTPError(
    .linkLocked, "Too many wrong PINs were given: the link is locked.",
    help: "Ask whoever has sent it to you for a new PIN.")

  static let tooManyFiles = HTTPError(
    .tooManyFiles, "Other files are being made.", help: "Try it again in a minute.",
    fields: [Response.Field("Retry-After", "60")])

  static func tooManyMails(_ seconds: Double) -> HTTPError {
    tooOften(
      "Many mails have been sent just now.", wait: seconds,
      "; the same request with its Idempotency-Key mails only those that have none yet.")
  }

  static func pinWaits(_ seconds: Double) -> HTTPError {
    let whole = Int(seconds.rounded(.up))
    return HTTPError(
      .pinWaits, "Some wrong PINs were given: try again in \(whole) s.", help: "Ask whoever has sent you the link.",
      fields: [Response.Field("Retry-After", "\(whole)")])
  }
}
