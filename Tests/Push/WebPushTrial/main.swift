import Client
import Crypto
import EventLoop
import Glibc
import Lifecycle
import WebPush
import Wire

// Web Push for tests in other languages, and for its benchmark:
//
//     webpushtrial key             a new key of an application server, and what a page gets of it
//     webpushtrial send            of each line, JSON, encrypts and sends one message; says what came of it
//     webpushtrial speed SECONDS   encrypts short messages on one thread; says how many a second
//
// A line of `send`: {"key", "subscription": {…}, "payload", "expires_in", "urgency", "topic"?, "contact"?, "listed":
// […], "timeout"}. Without an endpoint that can be sent to, it says why.

func complain(_ message: String) -> Never {
  let line = Array("webpushtrial: \(message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(2)
}

func say(_ json: JSON) {
  let line = json.bytes + [10]
  _ = write(STDOUT_FILENO, line, line.count)
}

func told(_ outcome: PushOutcome) -> JSON {
  switch outcome {
  case .sent: ["outcome": "sent"]
  case .gone: ["outcome": "gone"]
  case .busy(let status, let seconds): ["outcome": "busy", "status": .int(status), "seconds": JSON(seconds)]
  case .unreachable(let reason): ["outcome": "unreachable", "reason": .string(reason.code)]
  case .ledInside: ["outcome": "led inside"]
  case .failed(.refused(let status)): ["outcome": "failed", "reason": "refused", "status": .int(status)]
  case .failed(let failure): ["outcome": "failed", "reason": .string("\(failure)")]
  }
}

func send(_ line: JSON, on loop: EventLoop) async throws -> JSON {
  let listed = try (line["listed"]?.array ?? []).map { try AddressRange($0.string ?? "") }
  let subscription: PushSubscription
  do throws(WebPushError) {
    subscription = try PushSubscription(line["subscription"] ?? nil, listed: listed)
  } catch {
    return ["outcome": "refused", "code": .string("\(error.code)"), "message": .string(error.message)]
  }
  guard let bytes = Digest.bytes(base64URL: line["key"]?.string ?? ""), let key = ApplicationServerKey(bytes),
    let urgency = PushUrgency(rawValue: line["urgency"]?.string ?? "normal")
  else { complain("key or urgency is wrong") }
  let client = HTTPClient(loop: loop, userAgent: "webpushtrial", addresses: .publicInternet(and: listed))
  defer { client.close() }
  let sender = PushSender(
    client: client, tokens: ServerTokens(key, contact: line["contact"]?.string, time: loop.time), time: loop.time,
    timeout: line["timeout"]?.number ?? WebPushLimits.sendSeconds)
  let message = PushMessage(
    payload: Array((line["payload"]?.string ?? "").utf8),
    expiresAt: loop.time.now + (line["expires_in"]?.number ?? 60), urgency: urgency,
    topic: line["topic"]?.string)
  return told(try await sender.send(message, to: subscription))
}

func speed(seconds: Double) throws {
  let browser = P256PrivateKey()
  let subscription = try PushSubscription(
    endpoint: PushEndpoint("https://push.example/"), p256dh: Digest.base64URL(browser.publicKey.bytes),
    auth: Digest.base64URL(Digest.random(16)))
  let payload = [UInt8](repeating: UInt8(ascii: "x"), count: 300)
  let clock = SystemTime()
  let start = clock.uptime
  var count = 0
  while clock.uptime - start < seconds {
    for _ in 0..<50 { precondition(PushEncryption.encrypt(payload, for: subscription).count == payload.count + 103) }
    count += 50
  }
  print("encryptions \(Double(count) / (clock.uptime - start))")
}

let words = CommandLine.arguments.dropFirst()
switch words.first {
case "key":
  let key = ApplicationServerKey()
  say(["key": .string(Digest.base64URL(key.key.bytes)), "public": .string(key.publicText)])
case "speed":
  guard let seconds = words.last.flatMap(Double.init), seconds > 0 else { complain("speed SECONDS") }
  try speed(seconds: seconds)
case "send":
  let loop = EventLoop(time: SystemTime())
  loop.runInBackground(name: "trial")
  while let line = readLine() {
    let task = Task(executorPreference: loop) { try await send(JSON(parsing: line), on: loop) }
    say(try await task.value)
  }
default: complain("key, send or speed SECONDS")
}
