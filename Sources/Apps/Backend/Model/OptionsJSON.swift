import Hub
import Realtime
import Wire

extension AppOptions {
  static let fields = [
    "enabled", "client_events", "subscription_count", "authorized_connections", "history_seconds", "history_events",
    "connections", "messages_a_day", "webhooks", "user_channels", "client_classes", "verify_emails", "master_networks",
    "objects", "object_megabytes", "file_megabytes", "requests_a_second", "public_files",
  ]

  /// The options as the API and the store have them.
  var json: JSON {
    [
      "enabled": .bool(isEnabled), "client_events": .bool(clientEvents),
      "subscription_count": .bool(subscriptionCount), "authorized_connections": .bool(authorizedOnly),
      "history_seconds": .int(historySeconds), "history_events": .int(historyCount),
      "connections": .int(connections), "messages_a_day": .int(messages),
      "webhooks": .array(
        webhooks.map { hook in
          [
            "url": .string(hook.url), "events": .array(hook.events.map { .string($0.rawValue) }),
            "batched": .bool(hook.isBatched),
          ]
        }),
      "user_channels": .bool(userChannels),
      "client_classes": .bool(clientClasses), "public_files": .bool(publicFiles),
      "verify_emails": .bool(verifiesEmails),
      "master_networks": .array(masterNetworks.map { .string($0) }),
      "objects": .int(objects), "object_megabytes": .int(objectMegabytes), "file_megabytes": .int(fileMegabytes),
      "requests_a_second": .int(requests),
    ]
  }

  /// Takes over the options that a request has; the others stay.
  /// - Parameter fault: says why an address cannot be told anything; nil if it can.
  mutating func take(from check: inout FieldCheck, fault: (String) -> Reason?) {
    func flag(_ name: String, _ value: inout Bool) { if check.has(name) { value = check.flag(name) ?? value } }
    func number(_ name: String, _ range: ClosedRange<Int>, _ value: inout Int) {
      if check.has(name) { value = check.int(name, in: range, isNeeded: true) ?? value }
    }
    flag("enabled", &isEnabled)
    flag("client_events", &clientEvents)
    flag("subscription_count", &subscriptionCount)
    flag("authorized_connections", &authorizedOnly)
    flag("user_channels", &userChannels)
    number("history_seconds", AppsLimits.historySeconds, &historySeconds)
    number("history_events", AppsLimits.historyCount, &historyCount)
    number("connections", AppsLimits.connections, &connections)
    number("messages_a_day", AppsLimits.messages, &messages)
    number("objects", AppsLimits.ownObjects, &objects)
    number("object_megabytes", AppsLimits.ownMegabytes, &objectMegabytes)
    number("requests_a_second", AppsLimits.ownRequests, &requests)
    number("file_megabytes", AppsLimits.ownMegabytes, &fileMegabytes)
    flag("client_classes", &clientClasses)
    flag("public_files", &publicFiles)
    flag("verify_emails", &verifiesEmails)
    if check.has("master_networks") { masterNetworks = Self.networks(from: &check) }
    if check.has("webhooks") { webhooks = Self.webhooks(from: &check, fault: fault) }
  }

  private static func networks(from check: inout FieldCheck) -> [String] {
    let list = check.list("master_networks", of: "networks", atMost: AppsLimits.networks, isNeeded: true) ?? []
    return list.enumerated().compactMap { index, one in
      let text = one.string ?? ""
      do throws(AddressRangeError) {
        _ = try AddressRange(text)
        return text
      } catch {
        check.fail("master_networks[\(index)]", .fieldNoNetwork, ["words": .text(error.message)])
        return nil
      }
    }
  }

  private static func webhooks(from check: inout FieldCheck, fault: (String) -> Reason?) -> [AppWebhook] {
    let list = check.list("webhooks", of: "webhooks", atMost: AppsLimits.webhooks, isNeeded: true) ?? []
    return list.enumerated().map { index, one in
      var entry = FieldCheck(one, known: ["url", "events", "batched"])
      let url = entry.text("url", longest: AppsLimits.address, isNeeded: true) ?? ""
      if !url.isEmpty, let reason = fault(url) { entry.fail("url", reason) }
      let kinds = entry.list("events", of: "kinds", atMost: WebhookEvent.Kind.allCases.count, isNeeded: true) ?? []
      let events = kinds.compactMap { $0.string.flatMap(WebhookEvent.Kind.init) }
      if entry.has("events"), events.isEmpty || events.count < kinds.count {
        let all = WebhookEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        entry.fail("events", "one or more of \(all) are accepted.")
      }
      let isBatched = entry.has("batched") ? entry.flag("batched") ?? false : false
      for error in entry.errors { check.fail("webhooks[\(index)].\(error.field)", error.reason) }
      return AppWebhook(url: url, events: events, isBatched: isBatched)
    }
  }

  /// The options as the store has them. They were checked when they were written.
  init(kept text: String) {
    guard let json = try? JSON(parsing: text) else { return }
    // An app of an earlier version, whose options do not say it, took files from everybody, and goes on.
    publicFiles = true
    var check = FieldCheck(json, known: Self.fields)
    take(from: &check) { _ in nil }
  }
}
