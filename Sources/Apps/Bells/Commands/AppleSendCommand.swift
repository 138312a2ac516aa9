import APNs
import APNsSender
import Crypto
import Delivery
import EventLoop
import Hub
import Lifecycle
import Observe
import Settings
import Terminal
import Wire

/// `eightbells apple send`: one push for a developer's device, straight to Apple's push service or to a hub that
/// speaks as it, without a hub of one's own.
enum AppleSendCommand {
  private static let content: Set = [
    "title", "body", "file", "category", "thread", "level", "url", "collapse-id", "priority",
  ]

  static let command = RoomCommand(
    alone: Verb(
      "apple send", operands: ["DEVICE-TOKEN"],
      usage: "--team TEAM --key-id KEY-ID --key FILE.p8 --topic BUNDLE-ID (--title TEXT | --file FILE)",
      options: AppleCommands.options + PushRequest.options.filter { content.contains($0.name) } + [Verb.json],
      summary: """
        Sends one push to an app, to Apple's service or with --host to a hub's entry, and prints the answer as JSON. \
        --file takes a payload of Apple's, with "aps", as it is.
        """)
  ) { loop, arguments throws(CommandError) in
    let word = arguments.words[0]
    guard let token = Digest.bytes(hex: word), APNsSenderLimits.tokenBytes.contains(token.count) else {
      throw CommandError(
        usage: "DEVICE-TOKEN \(word.prefix(80)): the hexadecimal digits that the app got are accepted.")
    }
    let now = loop.time.now
    let account = try account(arguments, now: now)
    let push = try push(arguments, now: now)
    let registration = AppleRegistration(
      device: 0, token: token, topic: account.topics[0], environment: account.environment, registeredAt: now)
    let id = uuid()
    let service = AppleService(loop: loop, log: Log(time: loop.time))
    let sending: AppleService.Sending
    do throws(CancellationError) {
      sending = try await service.send(push, id: id, to: registration, by: account)
    } catch {
      throw CommandError("It was not sent: the command was ended.")
    }
    service.close()
    switch sending {
    case .answered(let answer):
      let reason = answer.reason.isEmpty ? nil : answer.reason
      print(
        JSON.object([
          .init("status", .int(answer.status)), .init("reason", JSON(reason)), .init("apns_id", .string(id)),
          .init("bytes", .int(push.payload.count)),
        ]).text)
      if answer.status != 200 {
        throw CommandError("\(account.host) has refused it: \(answer.status) \(answer.reason). Docs/apns.md says why.")
      }
    case .unanswered(let why): throw CommandError("\(account.host) may have got it, and did not answer: \(why)")
    case .unreachable(let why, _): throw CommandError("It was not sent to \(account.host): \(why)")
    }
  }

  private static func account(_ arguments: Arguments, now: Double) throws(CommandError) -> AppleAccount {
    do {
      return try AppleAccount(arguments, now: now)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(error)")
    }
  }

  /// Apple's payload as it is, or the hub's form as the hub would send it.
  private static func push(_ arguments: Arguments, now: Double) throws(CommandError) -> ApplePush {
    if let word = arguments["priority"], word != "high", word != "normal" {
      throw CommandError(usage: "--priority \(word): high or normal is accepted.")
    }
    let request = try PushRequest.body(arguments, needsRecipient: false)
    if let payload = request["content"], let aps = payload["aps"] {
      let isShown = ["alert", "sound", "badge"].contains { aps[$0] != nil }
      return ApplePush(
        payload: payload.bytes, kind: isShown ? .alert : .background, isUrgent: isShown,
        collapseID: arguments["collapse-id"] ?? uuid(), expiresAt: now + APNsLimits.storedSeconds)
    }
    let wish = try CommandError.usage(PreviewWish(request))
    let message = Outgoing(
      id: Int(now * 1e6), version: 1, work: .show(content: wish.content.text), collapseID: wish.collapseID,
      expiresAt: nil, priority: wish.priority, sentAt: now, topic: nil)
    guard let push = ApplePush(message, unread: nil, isChange: false, now: now) else {
      throw CommandError("It is too large even without its text: \(APNsLimits.payloadBytes) bytes are accepted.")
    }
    return push
  }

  private static func uuid() -> String { Digest.uuid(Digest.random(16), version: 4) }
}
