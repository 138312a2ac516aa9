import Delivery
import EventLoop
import Hub
import Lifecycle
import Server
import Settings
import Store
import Terminal
import Wire

/// `eightbells push send|list|cancel|trace`: on a hub's data, or over its API. Both take and give the same JSON.
enum PushCommands {
  static let all = [
    RoomCommand(
      either: "push send", usage: "--to WHOM --title TEXT [--body TEXT] [--file FILE] [OPTIONS]",
      options: PushRequest.options, summary: "Sends a notification, and prints its id.",
      onData: { hub, arguments in
        let sending: Sending
        do {
          sending = try Sending(try PushRequest.body(arguments), now: hub.time.now)
        } catch let faults as FieldErrors {
          throw CommandError(usage: faults.message)
        }
        print(try await send(sending, hub))
      },
      alone: { loop, arguments async throws(CommandError) in
        let body = try PushRequest.body(arguments)
        print(try await remote("send", arguments, loop).ask("POST", NotificationRoutes.path, body)["id"]?.string ?? "")
      }),
    RoomCommand(
      either: "push list", usage: "[--scheduled] [--json]",
      options: [Option("scheduled", help: "those that wait for their time"), json],
      summary: "Lists the newest notifications.",
      onData: { hub, arguments in
        let isScheduled = arguments.has("scheduled")
        let items = try await hub.store.read { database throws(StoreError) in
          isScheduled
            ? try NotificationList.scheduled(database, of: nil) : try NotificationList.sent(database, of: nil)
        }
        show(list: items, arguments)
      },
      alone: { loop, arguments async throws(CommandError) in
        let path = NotificationRoutes.path + (arguments.has("scheduled") ? "?scheduled=1" : "")
        let answer = try await remote("list", arguments, loop).ask("GET", path)
        show(list: answer["items"]?.array ?? [], arguments)
      }),
    RoomCommand(
      either: "push cancel", operands: ["ID"],
      summary: "Takes a notification back from all devices; one that waits for its time is not sent.",
      onData: { hub, arguments in
        let id = try id(arguments)
        let sender = BellSender(hub: hub, delivery: idle(hub))
        try await hub.commit(as: .commandLine) { change in
          try NotificationList.withdraw(id, sender, in: change)
          try change.audit("bell.withdrawn", about: "\(id)")
        }
        print("Taken back: \(id)")
      },
      alone: { loop, arguments async throws(CommandError) in
        let id = try id(arguments)
        _ = try await remote("cancel", arguments, loop).ask("DELETE", "\(NotificationRoutes.path)/\(id)")
        print("Taken back: \(id)")
      }),
    RoomCommand(
      either: "push trace", operands: ["ID"], usage: "[--json]", options: [json],
      summary: "Says what became of a notification on each device, and why.",
      onData: { hub, arguments in
        let id = try id(arguments)
        let found = try await hub.store.read { database throws(StoreError) in
          (try database.trace(id), try database.scheduled(id))
        }
        guard let json = found.0?.json(for: nil) ?? found.1.map({ .object($0.members(id: id)) }) else {
          throw HTTPError.noSuchNotification(id)
        }
        show(trace: json, arguments)
      },
      alone: { loop, arguments async throws(CommandError) in
        let id = try id(arguments)
        show(
          trace: try await remote("trace", arguments, loop).ask("GET", "\(NotificationRoutes.path)/\(id)"), arguments)
      }),
  ]

  private static let json = Option("json", help: "the whole answer in JSON")

  private static func remote(
    _ verb: String, _ arguments: Arguments, _ loop: EventLoop
  ) throws(CommandError) -> RemoteHub {
    let verb = all.first { $0.verb.lastWord == verb }!.verb
    return try RemoteHub(
      arguments, verb: verb, needs: "an owner's, or one made for the topic (eightbells token create --topic)", on: loop)
  }

  /// The delivery of a command, which sends nothing itself: the running hub does.
  private static func idle(_ hub: Hub) -> Delivery {
    Delivery(store: hub.store, loop: hub.loop, time: hub.time, log: hub.log)
  }

  private static func send(_ sending: Sending, _ hub: Hub) async throws -> String {
    let sender = BellSender(hub: hub, delivery: idle(hub))
    return try await hub.commit(as: .commandLine) { change in
      let id = try sender.send(sending, in: change).id
      try change.audit("bell.sent", about: sending.to.map(\.text).joined(separator: ", "))
      return "\(id)"
    }
  }

  private static func id(_ arguments: Arguments) throws(CommandError) -> Int {
    guard let id = Int(arguments.words[0]), id > 0 else {
      throw CommandError(usage: "ID \(arguments.words[0]): the number that push send has printed is accepted.")
    }
    return id
  }

  // MARK: Answers

  private static func show(list items: [JSON], _ arguments: Arguments) {
    if arguments.has("json") { return print(JSON.array(items).text) }
    if items.isEmpty { return print("There are none.") }
    for item in items {
      let topic = item["topic"]?.string.map { "topic:\($0)  " } ?? ""
      print(Layout.plain("\(word(item, "id"))  \(word(item, "at"))  \(word(item, "state"))  \(topic)\(title(item))"))
    }
  }

  private static func show(trace json: JSON, _ arguments: Arguments) {
    if arguments.has("json") { return print(json.text) }
    print(Layout.plain("\(title(json)) (\(word(json, "state")), \(word(json, "at")))"))
    let devices = json["devices"]?.array ?? []
    if devices.isEmpty { print("It was for no device.") }
    for device in devices {
      print(Layout.plain("\(word(device, "name")) by \(word(device, "channel")):"))
      for event in device["events"]?.array ?? [] {
        let reason = event["reason"]?.string.map { ": \($0)" } ?? ""
        let again = event["repeat"]?.bool == true ? ", perhaps for the second time" : ""
        print(Layout.plain("  \(word(event, "at"))  \(word(event, "what"))\(reason)\(again)"))
      }
    }
  }

  private static func word(_ json: JSON, _ name: String) -> String { json[name]?.string ?? "" }

  private static func title(_ json: JSON) -> String {
    json["content"]?["title"]?.string ?? json["content"]?["body"]?.string ?? "(without words)"
  }
}
