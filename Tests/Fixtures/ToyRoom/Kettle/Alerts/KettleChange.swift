import Hub
import Server

/// Changes of the kettle: each is one commit with its rows, live events and alerts.
enum KettleChange {
  static let all = Channel(KettleRoom.id)
  /// The same with the name of whoever has put it on.
  static let names = Channel.private(KettleRoom.id)

  /// - Throws: 409 while it is hot.
  static func putOn(in change: Change) throws -> Kettle {
    let before = try change.database.kettle()
    guard before?.isHot != true else {
      throw HTTPError(.kettleIsHot, "There is hot water already.", help: "Have a cup of tea.")
    }
    let kettle = Kettle(isHot: true, since: change.now, by: change.principal.name, tea: before?.tea)
    try change.database.save(kettle, person: change.principal.person)
    try change.audit("kettle.put-on")
    try change.ring("kettle.hot", kettle.json(isForAll: false))
    tell(kettle, in: change)
    return kettle
  }

  static func choose(tea: String, in change: Change) throws -> Kettle? {
    try change.database.save(tea: tea, at: change.now)
    try change.audit("kettle.tea", about: tea)
    let kettle = try change.database.kettle()
    if let kettle { tell(kettle, in: change) }
    return kettle
  }

  static func cool(_ kettle: Kettle, in change: Change) throws -> Kettle {
    let cold = Kettle(isHot: false, since: change.now, tea: kettle.tea)
    try change.database.save(cold, person: nil)
    tell(cold, in: change)
    return cold
  }

  static func forget(person id: Int, _ board: KettleBoard, in change: Change) throws {
    try change.database.forgetKettle(of: id)
    let kettle = try change.database.kettle()
    change.then { board.set(kettle) }
  }

  private static func tell(_ kettle: Kettle, in change: Change) {
    change.publish("state", on: all, kettle.json(isForAll: true))
    change.publish("state", on: names, kettle.json(isForAll: false))
  }
}
