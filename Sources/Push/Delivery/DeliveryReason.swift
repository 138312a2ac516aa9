/// The reasons that a trace gives. Each has a code that never changes (its raw value, which the API shows) and a
/// sentence in each language. They are defined here alone.
public enum DeliveryReason: String, CaseIterable, Sendable {
  case quietHours = "quiet_hours"
  case collapsed
  case queueFull = "queue_full"
  case answeredElsewhere = "answered_elsewhere"
  case takenBack = "taken_back"
  case expired
  case subscriptionGone = "subscription_gone"
  case silentNotSent = "silent_not_sent"
  case tooLarge = "too_large"
  case deviceRemoved = "device_removed"
  case channelRemoved = "channel_removed"
  case targetRefused = "target_refused"
  case pushService = "push_service"
  case unreachable
  case deviceFailed = "device_failed"
  case cut
  case topicReplaced = "topic_replaced"
  case timeOver = "time_over"
  case ringsAgain = "rings_again"
  case nobodyActed = "nobody_acted"
  case webhookAnswer = "webhook_answer"
  case webhookUnreachable = "webhook_unreachable"
  case webhookDead = "webhook_dead"
  case webhookGone = "webhook_gone"
  case shownElsewhere = "shown_elsewhere"
  case mailServer = "mail_server"
  case mailUnreachable = "mail_unreachable"
  case mailedBefore = "mailed_before"
  case appGone = "app_gone"
  case appleKeyMissing = "apple_key_missing"
  case unanswered
  case extensionFailed = "extension_failed"
  case newData = "new_data"
  case noData = "no_data"
  case workFailed = "work_failed"
  case noAnswer = "no_answer"
  case silentBudget = "silent_budget"
  case notOpened = "not_opened"

  /// True for those that a device may tell by itself.
  var isDevices: Bool {
    switch self {
    case .extensionFailed, .newData, .noData, .workFailed, .noAnswer, .notOpened: true
    default: false
    }
  }

  public struct Words: Equatable, Sendable {
    public var english: String
    public var german: String

    fileprivate init(_ english: String, _ german: String) {
      self.english = english
      self.german = german
    }
  }

  /// The sentences, with the detail in them: the end of quiet hours, a status, another program's words.
  public func words(_ detail: String?) -> Words {
    let detail = detail ?? ""
    func withDetail(_ english: String, _ german: String) -> Words {
      detail.isEmpty ? Words(english, german) : Words("\(english): \(detail)", "\(german): \(detail)")
    }
    switch self {
    case .quietHours:
      return detail.isEmpty
        ? Words("quiet hours", "Ruhezeit") : Words("quiet hours until \(detail)", "Ruhezeit bis \(detail)")
    case .collapsed: return Words("a newer one took its place", "durch eine neuere ersetzt")
    case .queueFull: return Words("too many were waiting for this device", "für dieses Gerät warteten schon zu viele")
    case .answeredElsewhere: return Words("answered on another device", "auf einem anderen Gerät beantwortet")
    case .takenBack: return Words("taken back by its sender", "vom Absender zurückgenommen")
    case .expired: return Words("its time was over", "ihre Zeit war vorbei")
    case .subscriptionGone:
      return Words(
        "the browser's push service says that the subscription has ended",
        "laut Push-Dienst gibt es das Abo dieses Browsers nicht mehr")
    case .silentNotSent:
      return Words(
        "browsers must show something for each push, and there is nothing to show",
        "Browser müssen bei jedem Push etwas anzeigen, und hier gibt es nichts anzuzeigen")
    case .tooLarge: return Words("too large for this channel", "zu groß für diesen Weg")
    case .deviceRemoved: return Words("the device was removed", "das Gerät wurde entfernt")
    case .channelRemoved:
      return Words("notifications were switched off on the device", "auf dem Gerät wurde das Läuten abgeschaltet")
    case .targetRefused:
      return Words(
        "the address that it was to be sent to leads into a private network",
        "die Adresse, an die sie gehen sollte, führt in ein privates Netz")
    case .pushService: return withDetail("the push service refused it", "der Push-Dienst hat sie abgelehnt")
    case .unreachable:
      return withDetail("the push service could not be reached", "der Push-Dienst war nicht erreichbar")
    case .deviceFailed: return withDetail("the device could not show it", "das Gerät konnte sie nicht anzeigen")
    case .cut:
      return Words(
        "shortened, since it was too large for this channel", "gekürzt, weil sie für diesen Weg zu groß war")
    case .topicReplaced:
      return Words(
        "replaced at the push service; the device may have shown it before",
        "beim Push-Dienst ersetzt; vielleicht hat das Gerät sie vorher angezeigt")
    case .timeOver:
      return Words(
        "its time had passed where the device is, before it was rung",
        "am Ort des Geräts war ihre Zeit schon vorbei, bevor es läuten konnte")
    case .ringsAgain:
      return withDetail("rings again, as nobody has acted", "läutet noch einmal, weil niemand reagiert hat")
    case .nobodyActed: return Words("nobody else has acted", "sonst hat niemand reagiert")
    case .webhookAnswer:
      return withDetail("the webhook's server did not take it", "der Server des Webhooks hat sie nicht genommen")
    case .webhookUnreachable:
      return withDetail(
        "the webhook's server could not be reached", "der Server des Webhooks war nicht erreichbar")
    case .webhookDead:
      return withDetail("given up after three days of attempts", "nach drei Tagen voller Versuche aufgegeben")
    case .shownElsewhere:
      return Words("it was seen on another device in time", "sie wurde rechtzeitig auf einem anderen Gerät gesehen")
    case .mailServer: return withDetail("the mail server did not take it", "der Mailserver hat sie nicht genommen")
    case .mailUnreachable:
      return withDetail("the mail server could not be reached", "der Mailserver war nicht erreichbar")
    case .mailedBefore:
      return Words(
        "the e-mail cannot be changed or taken back", "die E-Mail lässt sich nicht mehr ändern oder zurücknehmen")
    case .appGone:
      return Words(
        "Apple's push service says that the app is not on the device any more",
        "laut Apples Push-Dienst gibt es die App auf diesem Gerät nicht mehr")
    case .appleKeyMissing:
      return withDetail(
        "the hub has no key from Apple for this app", "der Server hat keinen Schlüssel von Apple für diese App")
    case .unanswered:
      return withDetail(
        "the push service has not answered; the device may have got it",
        "der Push-Dienst hat nicht geantwortet; vielleicht hat das Gerät sie bekommen")
    case .extensionFailed:
      let why = Self.extensionFaults[detail] ?? ("failed", "ist gescheitert")
      return Words(
        "as it was sent, since the device's extension \(why.english)",
        "so, wie sie geschickt wurde, denn die Erweiterung des Geräts \(why.german)")
    case .newData: return work("the device had new data", "das Gerät hatte Neues", detail)
    case .noData: return work("the device had no new data", "das Gerät hatte nichts Neues", detail)
    case .workFailed: return work("the device's work failed", "die Arbeit des Geräts ist gescheitert", detail)
    case .noAnswer: return work("the device gave no answer", "das Gerät hat nicht geantwortet", detail)
    case .silentBudget:
      return detail.isEmpty
        ? Words("too many silent ones; a newer one took its place", "zu viele stille; eine neuere nahm ihren Platz ein")
        : Words("too many silent ones; waits for \(detail)", "zu viele stille; wartet \(detail)")
    case .notOpened:
      return Words(
        "the device could not open it, and showed the text that is there for that",
        "das Gerät konnte sie nicht öffnen und hat den Text gezeigt, der dafür da ist")
    case .webhookGone:
      return Words("the webhook's server wants no more", "der Server des Webhooks will keine mehr")
    }
  }

  /// The ways in which an extension fails, by the codes that devices tell.
  private static let extensionFaults: [String: (english: String, german: String)] = [
    "late": ("did not answer in time", "hat nicht rechtzeitig geantwortet"),
    "crashed": ("failed", "ist gescheitert"),
    "twice": ("answered twice", "hat zweimal geantwortet"),
    "empty": ("answered with nothing to show", "hat nichts geantwortet, was sich anzeigen lässt"),
    "garbage": ("answered with what is no notification", "hat etwas geantwortet, was keine Mitteilung ist"),
    "too_large": ("answered with too much", "hat zu viel geantwortet"),
    "attachment": (
      "attached what may not be attached", "hat etwas angehängt, was sich nicht anhängen lässt"
    ),
  ]

  /// A sentence about the work for a silent one.
  /// - Parameter detail: the seconds that it took, and those that it had, such as "1.2/30".
  private func work(_ english: String, _ german: String, _ detail: String) -> Words {
    let parts = detail.split(separator: "/")
    guard parts.count == 2 else { return Words(english, german) }
    let decimal = parts[0].split(separator: ".").joined(separator: ",")
    return Words(
      "\(english), after \(parts[0]) of \(parts[1]) s", "\(german), nach \(decimal) von \(parts[1]) s")
  }

  public func text(_ detail: String?) -> String { words(detail).english }
}
