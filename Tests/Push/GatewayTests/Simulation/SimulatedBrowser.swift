import Wire

/// A browser with the hub's service worker: what that does with a push, and what people see and hear of it. The worker
/// is ended whenever the browser likes; what is on the screen stays.
final class SimulatedBrowser: SimulatedReceiver {
  struct Shown {
    var version: Int
    var title: String
    var collapse: String?
    var place: Int
  }
  struct Ring {
    var version: Int
    var isAgain: Bool
    /// True if the hub had said before that it was still wanted.
    var isChecked: Bool
  }

  let name: String
  let person: Int?
  let zone: String?
  var id = 0
  var endpoint = ""
  private(set) var screen: [Int: Shown] = [:]
  /// The worker's memory: what was taken back or pressed, and what is being prepared.
  private(set) var takenBack: [Int: Int] = [:]
  private(set) var preparing: [(message: SimulatedPushService.Message, isChecked: Bool)] = []

  // The truth.
  private(set) var rings: [Int: [Ring]] = [:]
  private(set) var answered: [Int: Set<String>] = [:]
  /// The notifications that came to the screen, or went from it, without the hub having heard of it.
  var unknown: Set<Int> = []
  /// Those that ended with the worker.
  private(set) var missed: Set<Int> = []
  var taken: [(id: Int, action: String, counts: Bool)] = []
  /// True if its subscription has ended, or was another one, at some time.
  var hasBeenAway = false

  init(_ number: Int, person: Int?, zone: String?) {
    name = "browser \(number)"
    self.person = person
    self.zone = zone
  }

  func kill() {
    for one in preparing { missed.insert(one.message.id) }
    preparing = []
    takenBack = [:]
  }

  func prepare(_ message: SimulatedPushService.Message, isChecked: Bool) { preparing.append((message, isChecked)) }

  func nextPrepared() -> (message: SimulatedPushService.Message, isChecked: Bool)? {
    preparing.isEmpty ? nil : preparing.removeFirst()
  }

  /// Takes note that it is over, with the update that is just being prepared.
  func remember(_ id: Int, version: Int) {
    let prepared = preparing.filter { $0.message.id == id }.map(\.message.version)
    takenBack[id] = max(version, takenBack[id] ?? 0, prepared.max() ?? 0)
  }

  /// True if it was taken back while it was being prepared, or a newer one with its collapse id is on the screen.
  func isOver(_ message: SimulatedPushService.Message) -> Bool {
    let isReplaced = screen.contains { id, shown in
      id != message.id && shown.collapse != nil && shown.collapse == message.collapse && shown.place > message.place
    }
    return isReplaced || takenBack[message.id] ?? 0 >= message.version
  }

  /// - Returns: false if it rang a second time without a reason.
  func show(_ message: SimulatedPushService.Message, isChecked: Bool) -> Bool {
    let (id, version) = (message.id, message.version)
    let newest = screen[id]?.version ?? 0
    if newest >= version { return true }
    let isAgain = message.json["again"]?.bool == true
    var isRight = true
    if newest == 0 || isAgain {
      let before = rings[id] ?? []
      let isRepeated = before.contains { $0.version >= version } || !before.isEmpty && !isAgain
      isRight = !isRepeated || !isChecked || unknown.contains(id)
      rings[id, default: []].append(Ring(version: version, isAgain: isAgain, isChecked: isChecked))
    }
    let collapse = message.collapse
    for (other, shown) in screen where other != id && collapse != nil && shown.collapse == collapse {
      screen[other] = nil
      // Another copy of it may be on its way to the screen.
      remember(other, version: shown.version)
    }
    screen[id] = Shown(
      version: version, title: message.json["content"]!["title"]!.string!, collapse: collapse, place: message.place)
    return isRight
  }

  func takeAway(_ message: SimulatedPushService.Message) {
    if screen.removeValue(forKey: message.id) != nil { return }
    guard let collapse = message.collapse else { return }
    for (other, shown) in screen where shown.collapse == collapse && shown.place < message.place {
      screen[other] = nil
      remember(other, version: shown.version)
    }
  }

  func answer(_ id: Int, _ action: String) {
    // Another copy may be on its way to the screen.
    if let shown = screen.removeValue(forKey: id) { remember(id, version: shown.version) }
    answered[id, default: []].insert(action)
  }
}
