import Glibc

// A load of WebSockets, for Benchmarks/bench_websocket.py: opens many, publishes over HTTP, and counts what arrives.
//
// It prints "opened" when all of them listen, and waits for a line; then it publishes one message to warm up, prints
// "warm" and waits again; then it publishes the rest, prints the results as JSON, and waits a last time before it
// disconnects. So its caller can examine the server between these steps.

let usage = """
  Usage: socketload --port N --path PATH [--channel NAME] --publish PATH [--token TOKEN] --bodies FILE \
  --connections N --messages N --publishers N; a line of FILE is one body.
  """

func bodies(in path: String) -> [[UInt8]] {
  guard let file = fopen(path, "rb") else { stop("File not readable: \"\(path)\".") }
  defer { fclose(file) }
  var text: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { text += chunk[..<count] }
  return text.split(separator: UInt8(ascii: "\n")).map(Array.init)
}

func number(_ text: String) -> Int {
  guard let number = Int(text), number > 0 else { stop("\"\(text)\" is no number above 0.") }
  return number
}

/// Prints a line for the caller, and waits for its line.
func report(_ line: String) {
  print(line)
  fflush(nil)
  _ = readLine()
}

var plan = Plan()
var words = CommandLine.arguments.dropFirst()
while let name = words.popFirst() {
  guard let value = words.popFirst() else { stop(usage) }
  switch name {
  case "--port": plan.port = UInt16(exactly: number(value)) ?? 0
  case "--path": plan.path = value
  case "--channel": plan.channel = value
  case "--publish": plan.publishPath = value
  case "--token": plan.token = value
  case "--bodies": plan.bodies = bodies(in: value)
  case "--connections": plan.connections = number(value)
  case "--messages": plan.messages = number(value)
  case "--publishers": plan.publishers = number(value)
  default: stop(usage)
  }
}
guard plan.port > 0, plan.connections > 0, plan.messages > 0, !plan.bodies.isEmpty else { stop(usage) }

var load = Load(plan)
load.open()
report("opened")
_ = load.publish(1)
report("warm")
let before = (bytes: load.payloadBytes, cpu: seconds(of: CLOCK_PROCESS_CPUTIME_ID))
let found = load.publish(plan.messages)
let cpu = seconds(of: CLOCK_PROCESS_CPUTIME_ID) - before.cpu
report(
  #"{"delivered": \#(found.delivered), "seconds": \#(found.seconds), "cpu": \#(cpu), "#
    + #""bytes": \#(load.payloadBytes - before.bytes)}"#)
