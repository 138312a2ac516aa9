import Hub
import Wire

/// The bells of the watch, with their words. Positions are not in them: whoever may see these asks the hub.
enum AnchorBell {
  /// Whoever subscribes is among those who are rung after the one who armed the watch.
  static let topic = BellTopic(
    "anchor", Bell.Words("Anchor alarms", german: "Ankeralarme"), isForAll: false)

  /// The answers to an alarm.
  enum Answer: String {
    case onIt = "on-it"
    case weigh
    case extend
  }

  private static let category = "anchor"
  private static let path = "/anchor"
  /// All of one night's alarms are shown in one place: the newest takes the place of the one before. An answer to those
  /// of another night says nothing of this one.
  static func collapseID(_ anchorage: Anchorage) -> String { "anchor.watch.\(anchorage.id)" }
  static func depthID(_ anchorage: Anchorage) -> String { "anchor.depth.\(anchorage.id)" }

  /// The collapse ids of what nobody has to look after any more once the anchor is up.
  static func ending(_ anchorage: Anchorage, _ sources: [Source]) -> [String] {
    [depthID(anchorage), "anchor.creep", "anchor.wind"]
      + sources.flatMap { ["anchor.source.\($0.id)", "anchor.witness.\($0.id)"] }
  }

  private static let onIt = Bell.Action(Answer.onIt.rawValue, Bell.Words("I’m on it", german: "Ich kümmere mich"))
  private static let answers = [
    onIt,
    Bell.Action(Answer.extend.rawValue, Bell.Words("Extend by 25%", german: "25 % weiter")),
    Bell.Action(Answer.weigh.rawValue, Bell.Words("Weigh", german: "Anker lichten")),
  ]

  /// An open alarm.
  /// - Parameter isOutside: true if she was outside of her zone when she was seen last: that she drags comes first.
  static func alarm(_ alarm: OpenAlarm, isOutside: Bool, at anchorage: Anchorage, to crew: JSON, now: Double) -> Bell {
    let metres = "\(Int(alarm.distance.rounded()))"
    let minutes = Int((now - alarm.since) / 60)
    let since =
      minutes < 1
      ? Bell.Words("Just now.", german: "Gerade eben.")
      : Bell.Words("For \(minutes) min.", german: "Seit \(minutes) min.")
    let drags = Bell.Words("The anchor drags: \(metres) m", german: "Der Anker slippt: \(metres) m")
    let (title, body): (Bell.Words, Bell.Words) =
      switch alarm.kind {
      case .alarm:
        (drags, Bell.Words("The boat has left her zone.", german: "Das Boot hat seinen Bereich verlassen."))
      case .boatLost where isOutside:
        (
          drags,
          Bell.Words(
            "She was outside of her zone, and nothing is heard from her any more.",
            german: "Das Boot lag außerhalb seines Bereichs, und jetzt kommt nichts mehr von ihm.")
        )
      case .positionLost where isOutside:
        (
          drags,
          Bell.Words(
            "She was outside of her zone, and the receiver knows no place any more.",
            german: "Das Boot lag außerhalb seines Bereichs, und jetzt kennt das Gerät keinen Ort mehr.")
        )
      case .boatLost:
        (
          Bell.Words("Nothing heard from the boat", german: "Vom Boot kommt nichts mehr"),
          // Right at the anchor, or never heard of at all.
          metres == "0"
            ? Bell.Words("No device tells where she is.", german: "Kein Gerät sagt, wo es ist.")
            : Bell.Words("She last held at \(metres) m.", german: "Zuletzt hielt der Anker bei \(metres) m.")
        )
      case .positionLost:
        (
          Bell.Words("No position any more", german: "Keine Position mehr"),
          Bell.Words(
            "A device is heard, but none tells where she is now. Last: \(metres) m.",
            german: "Ein Gerät meldet sich, aber keins sagt, wo das Boot jetzt ist. Zuletzt: \(metres) m.")
        )
      }
    return Bell(
      to: crew, title: title,
      body: Bell.Words("\(since.english) \(body.english)", german: "\(since.german) \(body.german)"), actions: answers,
      category: category, thread: AnchorRoom.id, collapseID: collapseID(anchorage), level: .critical,
      lifetime: WatchLimits.alarmLifetime, path: path, parts: parts(isOutside ? .alarm : alarm.kind))
  }

  /// What a clock says of an alarm.
  private static func parts(_ kind: OpenAlarm.Kind) -> [String] {
    switch kind {
    case .alarm: ["dragging"]
    case .boatLost: ["unheard"]
    case .positionLost: []
    }
  }

  /// An alarm that keeps still, since somebody is on it or it is over.
  static func quiet(_ title: Bell.Words, at anchorage: Anchorage, to crew: JSON) -> Bell {
    news(title, nil, to: crew, level: .passive, collapseID: collapseID(anchorage))
  }

  static func onIt(_ name: String, at anchorage: Anchorage, to crew: JSON) -> Bell {
    quiet(Bell.Words("\(name) is on it", german: "\(name) kümmert sich"), at: anchorage, to: crew)
  }

  static func over(_ kind: OpenAlarm.Kind, at anchorage: Anchorage, distance: Double, to crew: JSON) -> Bell {
    let metres = "\(Int(distance.rounded())) m"
    let title =
      switch kind {
      case .alarm: Bell.Words("She is back in her zone", german: "Das Boot ist wieder in seinem Bereich")
      case .boatLost: Bell.Words("The boat is heard again", german: "Das Boot meldet sich wieder")
      case .positionLost: Bell.Words("There is a position again", german: "Es gibt wieder eine Position")
      }
    let body = Bell.Words("\(metres) from the anchor.", german: "\(metres) vom Anker.")
    // On the boat a reminder sounds until somebody has acted.
    return news(title, body, to: crew, level: .active, collapseID: collapseID(anchorage), actions: [onIt])
  }

  static func warning(_ distance: Double, at anchorage: Anchorage, to crew: JSON) -> Bell {
    let metres = "\(Int(distance.rounded())) m"
    return news(
      Bell.Words("Near the edge: \(metres)", german: "Nah am Rand: \(metres)"),
      Bell.Words(
        "The alarm comes when she leaves her zone.", german: "Alarm gibt es, wenn das Boot seinen Bereich verlässt."),
      to: crew, level: .timeSensitive, collapseID: collapseID(anchorage), actions: answers)
  }

  /// Other news of the watch.
  /// - Parameter what: such as "creep"; a newer one of the same takes its place.
  static func event(_ what: String, at anchorage: Anchorage, to crew: JSON) -> Bell? {
    switch what {
    case "creep":
      news(
        Bell.Words("The anchor creeps", german: "Der Anker wandert"),
        Bell.Words(
          "The middle of the swing has moved within the last hour.",
          german: "Die Mitte des Schwoiens hat sich in der letzten Stunde verschoben."),
        to: crew, level: .timeSensitive, collapseID: "anchor.creep")
    case "wind shift":
      news(
        Bell.Words("The wind has shifted", german: "Der Wind hat gedreht"), nil, to: crew, level: .timeSensitive,
        collapseID: "anchor.wind")
    case "depth":
      news(
        Bell.Words("The depth is not as you wanted it", german: "Die Tiefe ist nicht, wie du sie wolltest"), nil,
        to: crew, level: .critical, collapseID: depthID(anchorage), actions: [onIt])
    default: nil
    }
  }

  // MARK: Devices

  static func lost(_ source: Source, to crew: JSON) -> Bell {
    news(
      Bell.Words("“\(source.name)” has fallen silent", german: "„\(source.germanName)“ schweigt"),
      Bell.Words(
        "It should tell its position and does not. Others still watch.",
        german: "Das Gerät sollte seine Position melden und tut es nicht. Andere wachen weiter."),
      to: crew, level: .timeSensitive, collapseID: "anchor.source.\(source.id)")
  }

  static func back(_ source: Source, to crew: JSON) -> Bell {
    news(
      Bell.Words("“\(source.name)” is heard again", german: "„\(source.germanName)“ meldet sich wieder"), nil, to: crew,
      level: .passive, collapseID: "anchor.source.\(source.id)")
  }

  static func objects(_ source: Source, to crew: JSON) -> Bell {
    news(
      Bell.Words("“\(source.name)” sees the boat elsewhere", german: "„\(source.germanName)“ sieht das Boot woanders"),
      Bell.Words(
        "Two devices do not agree where she lies. Please look.",
        german: "Zwei Geräte sind sich nicht einig, wo es liegt. Sieh bitte nach."),
      to: crew, level: .timeSensitive, collapseID: "anchor.witness.\(source.id)")
  }

  static func agrees(_ source: Source, to crew: JSON) -> Bell {
    news(
      Bell.Words(
        "“\(source.name)” sees the boat at the same place again",
        german: "„\(source.germanName)“ sieht das Boot wieder am selben Ort"), nil, to: crew, level: .passive,
      collapseID: "anchor.witness.\(source.id)")
  }

  /// The event of it comes with the device's report.
  static func divided(_ source: Source, to crew: JSON) -> Bell {
    news(
      Bell.Words(
        "The receivers of “\(source.name)” do not agree",
        german: "Die Empfänger von „\(source.germanName)“ sind sich uneinig"),
      Bell.Words(
        "One of them sees the boat elsewhere. Please look.", german: "Einer sieht das Boot woanders. Sieh bitte nach."),
      to: crew, level: .timeSensitive, collapseID: "anchor.witness.\(source.id)")
  }

  static func forgets(_ source: Source, to crew: JSON) -> Bell {
    news(
      Bell.Words(
        "“\(source.name)” cannot write to its memory card",
        german: "„\(source.germanName)“ kann nicht auf seine Speicherkarte schreiben"),
      Bell.Words(
        "It watches on and rings, but switched off and on again it knows nothing of this night.",
        german: "Das Gerät wacht und läutet weiter. Aus- und wieder eingeschaltet weiß es von dieser Nacht nichts mehr."
      ),
      to: crew, level: .timeSensitive, collapseID: "anchor.disk.\(source.id)")
  }

  static func clock(_ source: Source, to crew: JSON) -> Bell {
    let id = "anchor.clock.\(source.id)"
    guard let error = source.clockError else {
      let title = Bell.Words(
        "“\(source.name)”: the clock agrees with the hub’s again",
        german: "„\(source.germanName)“: Die Uhr stimmt wieder mit der des Servers überein")
      return news(title, nil, to: crew, level: .passive, collapseID: id)
    }
    let (english, german) = duration(abs(error))
    return news(
      Bell.Words(
        "“\(source.name)”: the clock is \(english) \(error > 0 ? "ahead" : "behind")",
        german: "„\(source.germanName)“: Die Uhr geht \(german) \(error > 0 ? "vor" : "nach")"),
      Bell.Words(
        "Its positions are taken with the hub’s time. Please set its clock, or the hub’s if that is the wrong one.",
        german: "Seine Positionen gelten nach der Zeit des Servers. Stell bitte seine Uhr, oder die des Servers, falls "
          + "die falsch geht."),
      to: crew, level: .active, collapseID: id)
  }

  private static func duration(_ seconds: Double) -> (english: String, german: String) {
    func told(_ unit: Double, _ one: String, _ many: String, _ german: String, _ germans: String) -> (String, String) {
      let count = Int((seconds / unit).rounded())
      return count == 1 ? ("1 \(one)", "1 \(german)") : ("\(count) \(many)", "\(count) \(germans)")
    }
    if seconds >= 86_400 { return told(86_400, "day", "days", "Tag", "Tage") }
    if seconds >= 5_400 { return told(3_600, "hour", "hours", "Stunde", "Stunden") }
    return told(60, "minute", "minutes", "Minute", "Minuten")
  }

  static func battery(_ news: BatteryNews, of source: Source, morning: Bell.Words, to crew: JSON) -> Bell {
    let (name, german) = (source.name, source.germanName)
    let (title, level): (Bell.Words, Bell.Level) =
      switch news {
      case .low(let share): (charge(share, name, german), .timeSensitive)
      case .empty(let share): (charge(share, name, german), .critical)
      case .slope:
        (
          Bell.Words(
            "“\(name)”: the battery does not last until \(morning.english)",
            german: "„\(german)“: Der Akku reicht nicht bis \(morning.german)"
          ), .timeSensitive
        )
      case .unplugged:
        (
          Bell.Words("“\(name)” is no longer charging", german: "„\(german)“ hängt nicht mehr am Ladegerät"),
          .timeSensitive
        )
      case .plugged: (Bell.Words("“\(name)” is charging again", german: "„\(german)“ lädt wieder"), .passive)
      }
    let body =
      switch news {
      case .plugged: nil as Bell.Words?
      case .unplugged:
        Bell.Words("It runs on its battery now.", german: "Das Gerät läuft jetzt auf Akku.")
      default:
        Bell.Words("Plug it in: it keeps the anchor watch.", german: "Häng es ans Ladegerät: Es hält die Ankerwache.")
      }
    return self.news(title, body, to: crew, level: level, collapseID: "anchor.battery.\(source.id)")
  }

  private static func charge(_ share: Double, _ name: String, _ german: String) -> Bell.Words {
    let percent = Int((share * 100).rounded())
    return Bell.Words("“\(name)”: battery \(percent)%", german: "„\(german)“: Akku \(percent) %")
  }

  // MARK: Composing

  private static func news(
    _ title: Bell.Words, _ body: Bell.Words?, to crew: JSON, level: Bell.Level, collapseID: String,
    actions: [Bell.Action] = []
  ) -> Bell {
    Bell(
      to: crew, title: title, body: body, actions: actions, category: category, thread: AnchorRoom.id,
      collapseID: collapseID, level: level, lifetime: WatchLimits.newsLifetime, path: path)
  }
}

extension Source {
  fileprivate var germanName: String { germanDeviceName(name) }
}
