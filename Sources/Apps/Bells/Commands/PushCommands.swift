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
      options: PushRequest.options + PushParts.options + PreviewCommand.options + [Verb.json],
      summary: "Sends a notification, and prints its id.",
      onData: { hub, arguments in
        if arguments.has("preview") { return try await PreviewCommand.show(arguments, hub) }
        let body = try await PushParts.request(arguments) { file async throws(CommandError) in
          try await PushParts.keep(file, hub)
        }
        let sending = try CommandError.usage(Sending(body, now: hub.time.now, zone: hub.place.zone))
        show(id: try await send(sending, hub), arguments)
      },
      alone: { loop, arguments async throws(CommandError) in
        let hub = try remote("send", arguments, loop)
        if arguments.has("preview") { return try await PreviewCommand.show(arguments, by: hub) }
        let body = try await PushParts.request(arguments) { file async throws(CommandError) in
          try await hub.upload(AttachmentRoutes.path, file)["blob"]?.string ?? ""
        }
        show(id: try await hub.ask("POST", NotificationRoutes.path, body)["id"]?.string ?? "", arguments)
      }),
    RoomCommand(
      either: "push list", usage: "[--scheduled] [--before ID] [--json]",
      options: [
        Option("scheduled", help: "those that wait for their time, the soonest first"),
        Option("before", "ID", help: "the next 50, after the one that was listed last"), Verb.json,
      ],
      summary: "Lists the newest notifications, 50 at once; silent ones only with --json.",
      onData: { hub, arguments in
        let isScheduled = arguments.has("scheduled")
        let before = try arguments["before"].map { word throws(CommandError) in try id(word) }
        let items = try await hub.store.read { database throws(StoreError) in
          isScheduled
            ? try NotificationList.scheduled(database, hub, of: nil, after: before)
            : try NotificationList.sent(database, hub, of: nil, before: before)
        }
        guard let items else { throw CommandError("\(before ?? 0) waits no more: begin the list again.") }
        show(list: items, arguments)
      },
      alone: { loop, arguments async throws(CommandError) in
        let query = [
          arguments.has("scheduled") ? "scheduled=1" : nil,
          try arguments["before"].map { word throws(CommandError) in "before=\(try id(word))" },
        ].compactMap { $0 }
        let path = NotificationRoutes.path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
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
      either: "push trace", operands: ["ID"], usage: "[--json]", options: [Verb.json],
      summary: "Says what became of a notification on each device, and why.",
      onData: { hub, arguments in
        let id = try id(arguments)
        let found = try await hub.store.read { database throws(StoreError) in
          try NotificationList.trace(id, for: nil, database, hub)
        }
        guard let found else { throw HTTPError.noSuchNotification(id) }
        show(trace: found, arguments)
      },
      alone: { loop, arguments async throws(CommandError) in
        let id = try id(arguments)
        show(
          trace: try await remote("trace", arguments, loop).ask("GET", "\(NotificationRoutes.path)/\(id)"), arguments)
      }),
  ]

  private static func remote(
    _ verb: String, _ arguments: Arguments, _ loop: EventLoop
  ) throws(CommandError) -> RemoteHub {
    let verb = all.first { $0.verb.lastWord == verb }!.verb
    return try RemoteHub(
      arguments, verb: verb, needs: "an owner's, or one made for the topic (eightbells token create --topic)", on: loop)
  }

  /// The delivery of a command, which sends nothing itself: the running hub does.
  static func idle(_ hub: Hub) -> Delivery {
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

  private static func id(_ arguments: Arguments) throws(CommandError) -> Int { try id(arguments.words[0]) }

  /// - Parameter source: the words for what tells such numbers.
  static func id(_ word: String, source: String = "push send has printed") throws(CommandError) -> Int {
    guard let id = Int(word), id > 0 else {
      throw CommandError(usage: "ID \(word): the number that \(source) is accepted.")
    }
    return id
  }

  // MARK: Answers

  private static func show(list items: [JSON], _ arguments: Arguments) {
    if arguments.has("json") { return print(JSON.array(items).text) }
    // Silent ones have no words: they are between the rooms and their devices.
    let items = items.filter { $0["content"]?["silent"]?.bool != true }
    if items.isEmpty { return print("There are none.") }
    for item in items {
      let topic = item["topic"]?.string.map { "topic:\($0)  " } ?? ""
      print(Layout.plain("\(word(item, "id"))  \(word(item, "at"))  \(word(item, "state"))  \(topic)\(title(item))"))
    }
  }

  private static func show(id: String, _ arguments: Arguments) {
    print(arguments.has("json") ? (["id": .string(id)] as JSON).text : id)
  }

  private static func show(trace json: JSON, _ arguments: Arguments) {
    if arguments.has("json") { return print(json.text) }
    print(Layout.plain("\(title(json)) (\(word(json, "state")), \(word(json, "at")))"))
    print(Layout.plain("Sent by \(json["sender_name"]?.string ?? word(json, "sender"))."))
    if let plan = json["schedule"] {
      let days = plan["every"]?.string ?? plan["date"]?.string
      print(Layout.plain("Rings at \(word(plan, "local")) by each device's clock\(days.map { ", \($0)" } ?? "")."))
    }
    if let plan = json["repeat"] {
      let others = (plan["then"]?.array ?? []).compactMap(Sending.Target.init).map(\.text).joined(separator: ", ")
      let rest = others.isEmpty ? "" : ", then \(others)"
      print(
        Layout.plain(
          "Rings every \(word(plan, "every")) until somebody acts, \(plan["limit"]?.int ?? 0) times at most\(rest)."))
    }
    let devices = json["devices"]?.array ?? []
    if let acted = json["acted"], acted != .null { print(Layout.plain(answer(acted, devices))) }
    if devices.isEmpty {
      let waits = json["trigger"] == nil ? "It waits for its time." : "It waits for somebody at its place."
      print(word(json, "state") == "scheduled" ? waits : "It was for no device.")
    }
    for device in devices {
      print(Layout.plain("\(word(device, "name")) by \(word(device, "channel")):"))
      for event in device["events"]?.array ?? [] {
        let reason = event["reason"]?.string.map { ": \($0)" } ?? ""
        let again =
          event["repeat"]?.bool == true && event["code"]?.string != "rings_again" ? ", perhaps for the second time" : ""
        print(Layout.plain("  \(word(event, "at"))  \(word(event, "what"))\(reason)\(again)"))
      }
    }
  }

  /// "Answered 2026-11-21T19:00:00.120Z: say "yes", by person 7 on Ada's phone."
  private static func answer(_ acted: JSON, _ devices: [JSON]) -> String {
    let text = acted["text"]?.string.map { " \"\($0)\"" } ?? ""
    let person = acted["person"]?.string.map { ", by person \($0)" } ?? ""
    let device = devices.first { $0["device"] == acted["device"] }.map { " on \(word($0, "name"))" } ?? ""
    return "Answered \(word(acted, "at")): \(word(acted, "action"))\(text)\(person)\(device)."
  }

  private static func word(_ json: JSON, _ name: String) -> String { json[name]?.string ?? "" }

  private static func title(_ json: JSON) -> String {
    json["content"]?["title"]?.string ?? json["content"]?["body"]?.string ?? "(without words)"
  }
}

extension Arguments {
  /// Prints a list: as JSON with --json, or else each in a line.
  func print<T>(_ all: [T], none: String, json: (T) -> JSON, line: (T) -> String) {
    if has("json") { return Swift.print(JSON.array(all.map(json)).text) }
    if all.isEmpty { Swift.print(none) }
    for one in all { Swift.print(Layout.plain(line(one))) }
  }
}
