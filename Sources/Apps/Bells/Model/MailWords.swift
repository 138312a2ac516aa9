import Hub

/// The words of mails and of the pages that they lead to.
struct MailWords {
  private let isGerman: Bool

  init(_ isGerman: Bool) { self.isGerman = isGerman }

  var language: String { isGerman ? "de" : "en" }
  var confirmTitle: String { isGerman ? "Ist das deine Adresse?" : "Is this your address?" }
  var confirmButton: String { isGerman ? "Ja, hierher" : "Yes, e-mail me here" }
  func confirmBody(_ name: String) -> String {
    isGerman
      ? "Jemand möchte von \(name) hierher benachrichtigt werden. Wenn du das nicht warst, tu nichts."
      : "Somebody wants to be notified here by \(name). If that was not you, do nothing."
  }
  var confirmed: String { isGerman ? "Von jetzt an bekommst du hier E-Mails." : "From now on you get e-mails here." }
  var unknown: String { isGerman ? "Diesen Link gibt es nicht." : "There is no such link." }
  var expired: String { isGerman ? "Dieser Link gilt nicht mehr." : "This link is not good any more." }
  var over: String {
    isGerman
      ? "Das ist vorbei: Jemand hat geantwortet, oder die Zeit ist um."
      : "This is over: somebody has answered, or its time has passed."
  }
  var done: String { isGerman ? "Angekommen." : "Done." }
}

extension PlainPage {
  init(_ words: MailWords, title: String, text: String = "", button: String? = nil) {
    self.init(language: words.language, title: title, text: text, button: button)
  }
}
