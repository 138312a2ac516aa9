import Hub
import Server
import Webhooks
import Wire

/// A webhook as an owner asks for it, checked: the server to which notifications are posted.
struct WebhookWish: Sendable {
  var name: String
  var url: String
  var topics: [String]

  static let help =
    "Example: {\"name\": \"door screen\", \"url\": \"https://screen.example/hook\", \"topics\": [\"space\"]}"

  /// - Parameter listed: the networks that the hub may connect to besides the public Internet.
  init(_ json: JSON, listed: [AddressRange]) throws(FieldErrors) {
    var check = FieldCheck(json, known: ["name", "url", "topics"])
    name = check.line("name", isNeeded: true) ?? ""
    url = check.text("url", longest: WebhookLimits.addressBytes, isNeeded: true) ?? ""
    if !url.isEmpty, let fault = WebhookAddress.fault(url, listed: listed) { check.fail("url", fault) }
    let list = check.list("topics", of: "topics", atMost: BellsLimits.topics, isNeeded: true) ?? []
    topics = list.compactMap(\.string)
    if check.has("topics"), topics.isEmpty || topics.count < list.count || !topics.allSatisfy(TokenTopics.isID) {
      check.fail("topics", "ids of topics are accepted, at least one.")
    }
    if !check.errors.isEmpty { throw FieldErrors(check.errors) }
  }
}

/// A hook as an owner asks for it, checked: an address at which another program posts JSON.
struct HookWish: Sendable {
  var name: String
  var to: [Sending.Target]
  /// The recipients as they were sent.
  var recipients: JSON
  var template: ContentTemplate?

  static let help =
    "Example: {\"name\": \"doorbell\", \"to\": {\"topic\": \"space\"}, \"template\": {\"title\": \"{{event.name}}\"}}"

  init(_ json: JSON) throws(FieldErrors) {
    var check = FieldCheck(json, known: ["name", "to", "template"])
    name = check.line("name", isNeeded: true) ?? ""
    to = check.targets("to")
    recipients = json["to"] ?? .null
    if let value = check.value("template", isNeeded: true, accepted: "an object with a title or a body") {
      do throws(ContentTemplate.Fault) {
        template = try ContentTemplate(value)
      } catch {
        check.fail(error.field.isEmpty ? "template" : "template.\(error.field)", error.message)
      }
    }
    if !check.errors.isEmpty { throw FieldErrors(check.errors) }
  }
}

extension Webhook {
  var json: JSON {
    [
      "id": JSON(id: device), "name": .string(name), "url": .string(url), "state": .string(state.rawValue),
      "created_at": JSON(instant: createdAt), "failing_since": JSON(instant: failingSince), "failure": JSON(failure),
      "ended_at": JSON(instant: endedAt),
    ]
  }
}

extension IncomingHook {
  var json: JSON {
    [
      "id": JSON(id: id), "name": .string(name), "to": to, "template": template.json,
      "created_at": JSON(instant: createdAt), "used_at": JSON(instant: usedAt),
    ]
  }
}
