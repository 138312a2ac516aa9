import APNsSender
import Crypto
import EventLoop
import Glibc
import Lifecycle
import Wire

// The load of bench_apple: sends pushes as the hub does, but for its store, over one connection:
//
//     appleload HOST PORT AUTHORITIES KEY.p8 KEY-ID TEAM TOPIC TOKENS COUNT STREAMS [empty] [alike]
//
// TOKENS is a file with a device token a line. With `empty`, each payload is an empty object filled up with spaces,
// which the entry refuses at its last rule before the commit. With `alike`, all pushes have the same apns-id and
// apns-collapse-id, as h2load's have, so that HPACK sends each of these once (RFC 7541 section 2.3.2). Prints JSON:
// seconds, how often each answer came, and the seconds of processor time.

func complain(_ message: String) -> Never {
  let line = Array("appleload: \(message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(2)
}

func read(_ path: String) -> [UInt8] {
  let file = open(path, O_RDONLY)
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = Glibc.read(file, &bytes, bytes.count)
  guard count > 0 else { complain("cannot read \(path)") }
  return Array(bytes[..<count])
}

let words = CommandLine.arguments
guard words.count >= 11, let port = UInt16(words[2]), let key = P256PrivateKey(pem: read(words[4])),
  let count = Int(words[9]), let streams = Int(words[10])
else { complain("HOST PORT AUTHORITIES KEY.p8 KEY-ID TEAM TOPIC TOKENS COUNT STREAMS [empty] [alike] are accepted") }
let registrations = String(decoding: read(words[8]), as: UTF8.self).split(separator: "\n").compactMap { digits in
  Digest.bytes(hex: String(digits)).map {
    AppleRegistration(device: 1, token: $0, topic: words[7], environment: .production, registeredAt: 0)
  }
}
let loop = EventLoop(time: SystemTime())
loop.runInBackground(name: "load")
let load = Load(
  loop, host: words[1], port: port, authorities: read(words[3]),
  tokens: TokenMaker(team: words[6], keyID: words[5], key: key), registrations: registrations,
  isEmpty: words.dropFirst(11).contains("empty"), isAlike: words.dropFirst(11).contains("alike"))
let told = try await load.run(count, streams: streams)
// clock(3) has 1,000,000 a second (POSIX).
let cpu = Double(clock()) / 1_000_000
let report = JSON.object((told.members ?? []) + [.init("cpu_seconds", .double(cpu))]).bytes + [10]
_ = write(STDOUT_FILENO, report, report.count)
