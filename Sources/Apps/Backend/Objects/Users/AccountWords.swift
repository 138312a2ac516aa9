/// The words of mails to users of apps, and of the pages that they lead to.
struct AccountWords {
  let isGerman: Bool
  let app: String
  let name: String

  var language: String { isGerman ? "de" : "en" }

  func title(_ purpose: AccountMail.Purpose) -> String {
    switch purpose {
    case .verify: isGerman ? "\(app): Ist das deine Adresse?" : "\(app): is this your address?"
    case .newPassword: isGerman ? "\(app): neues Passwort" : "\(app): a new password"
    }
  }

  func body(_ purpose: AccountMail.Purpose) -> String {
    switch purpose {
    case .verify:
      isGerman
        ? "Jemand hat sich bei \(app) als \(name) mit dieser Adresse registriert. Wenn du das nicht warst, tu nichts."
        : "Somebody has signed up with \(app) as \(name), with this address. If that was not you, do nothing."
    case .newPassword:
      isGerman
        ? "Jemand möchte ein neues Passwort für \(name) bei \(app). Wenn du das nicht warst, tu nichts: Das alte gilt "
          + "weiter."
        : "Somebody wants a new password for \(name) at \(app). If that was not you, do nothing: the old one is still "
          + "good."
    }
  }

  func button(_ purpose: AccountMail.Purpose) -> String {
    switch purpose {
    case .verify: isGerman ? "Ja, das ist meine" : "Yes, it is mine"
    case .newPassword: isGerman ? "Neues Passwort wählen" : "Choose a new password"
    }
  }

  func done(_ purpose: AccountMail.Purpose) -> String {
    switch purpose {
    case .verify: isGerman ? "Danke, \(app) weiß jetzt Bescheid." : "Thank you; \(app) knows it now."
    case .newPassword:
      isGerman
        ? "Das neue Passwort gilt. Du kannst dich bei \(app) wieder anmelden."
        : "The new password is set. You can sign in to \(app) again."
    }
  }

  var password: String { isGerman ? "Neues Passwort für \(name)" : "New password for \(name)" }
  var save: String { isGerman ? "Speichern" : "Save" }
  var tooLong: String {
    isGerman
      ? "Ein Passwort hat 1 bis \(AppsLimits.passwordBytes) Zeichen."
      : "A password has 1 to \(AppsLimits.passwordBytes) characters."
  }
  var busy: String {
    isGerman ? "Gerade ist viel los. Versuch es gleich noch einmal." : "The hub is busy. Try it again in a moment."
  }
  var ended: String {
    isGerman
      ? "Dieser Link gilt nicht mehr. Lass dir in der App einen neuen schicken."
      : "This link is not good any more. Let the app send you another."
  }
}
