import Delivery
import Hub
import Server
import Store
import Wire

/// Drills: they ring the devices that a room would ring tonight, one by one, to see who would hear it.
struct Drills: Sendable {
  let sender: BellSender
  private var hub: Hub { sender.hub }

  /// The only answer to a drill.
  static let heard = "heard"

  /// A room that can be tried, and those whom it would wake.
  struct Subject {
    var room: String
    var name: Bell.Words
    var right: Right
    var recipients: [Recipient]
  }

  /// The rooms that ring: those who have topics wake their subscribers, if they do not say otherwise; those without
  /// any wake whom they name; this room stands for everybody, whom any room may have to tell something.
  func subjects(askedBy person: Int?, in database: Database) throws(StoreError) -> [Subject] {
    let topics = try database.topics()
    var subjects: [Subject] = []
    for room in hub.rooms {
      let plan = type(of: room).plan
      if plan.id == BellsRoom.id {
        subjects.append(try everybody(database))
        continue
      }
      let own = topics.filter { $0.room == plan.id }
      let to = try room.woken(askedBy: person, in: database)
      let named = plan.topics.first?.name ?? own.first.map { Bell.Words($0.name, german: $0.name) }
      guard let name = named ?? (to == nil ? nil : plan.drillName) else { continue }
      let recipients =
        try to.map { to throws(StoreError) in try Sending.Target.list(to).recipients(of: database) }
        ?? own.map { Recipient.topic($0.id) }
      subjects.append(Subject(room: plan.id, name: name, right: plan.drill ?? .send, recipients: recipients))
    }
    return subjects
  }

  private func everybody(_ database: Database) throws(StoreError) -> Subject {
    var persons: [Int] = []
    for role in Role.allCases { persons += try database.personIDs(of: role) }
    return Subject(
      room: BellsRoom.id, name: Bell.Words("Everybody here", german: "Alle hier"), right: .send,
      recipients: persons.map(Recipient.person))
  }

  /// Rings them.
  /// - Returns: the drill's number, and how many devices ring.
  func begin(_ subject: Subject, in change: Change) throws -> (id: Int, devices: Int) {
    let database = change.database
    let (drill, replaced) = try database.beginDrill(of: subject.room)
    // The last one's would stand before the new ones, and whoever answers there would have answered nothing.
    try sender.withdraw(replaced, in: change)
    let devices = try database.audibleDevices(of: subject.recipients).devices.prefix(BellsLimits.drilled)
    for device in devices {
      let bell = Self.bell(subject, drill: drill, device: device)
      let submitted = try sender.ring(bell, to: [.device(device.id)], room: BellsRoom.id, in: change)
      try database.addToDrill(
        drill, of: subject.room, device: device.id, notification: submitted.id, now: change.now)
    }
    try change.audit("bell.drilled", about: subject.name.english)
    try room(subject.room)?.drilled(drill, in: change)
    return (drill, devices.count)
  }

  /// Notes the answer of a device.
  func answered(_ answer: BellAnswer, in change: Change) throws {
    guard answer.action == Self.heard, let (drill, device) = DrillName.read(answer.collapseID),
      let id = try change.database.answerDrill(drill, device: device, now: change.now)
    else { return }
    try room(id)?.drilled(nil, in: change)
  }

  private func room(_ id: String) -> (any Room)? { hub.rooms.first { type(of: $0).plan.id == id } }

  /// It passes quiet hours: whoever rings it wants to know what can be heard. It names its device, for a person's page
  /// shows those of all their devices, and a box without buttons is answered for by whoever stands beside it.
  private static func bell(_ subject: Subject, drill: Int, device: PushDevice) -> Bell {
    Bell(
      to: ["device": JSON(id: device.id)],
      title: Bell.Words("A test: \(subject.name.english)", german: "Eine Probe: \(subject.name.german)"),
      body: Bell.Words(
        "Do you hear “\(device.name)”? Answer only then.",
        german: "Hörst du „\(device.name)“? Antworte nur dann."),
      actions: [Bell.Action(heard, Bell.Words("I hear it", german: "Ich höre es"))], category: "drill",
      thread: "drill", collapseID: DrillName.collapseID(drill: drill, device: device.id), level: .critical,
      lifetime: BellsLimits.drillSeconds)
  }
}
