// A server in the manner of event loops with channels: each connection is a channel with a pipeline of handlers, each
// handler has a context, and what is to come is scheduled on the loop. All connections are closed in the end. One
// handler's mistake: its timeout keeps the context that keeps the handler, and is cancelled only by a word from the
// client, which some never say.
import Glibc

final class Promise<Value> {
  private var waiting: [(Value) -> Void] = []
  func whenSucceeds(_ act: @escaping (Value) -> Void) { waiting.append(act) }
  func succeed(_ value: Value) {
    let all = waiting
    waiting = []
    for act in all { act(value) }
  }
}

final class Scheduled {
  var act: (() -> Void)?
  func cancel() { act = nil }
}

class Handler {
  func added(_ context: Context) {}
  func read(_ bytes: [UInt8], _ context: Context) { context.next?.handler.read(bytes, context.next!) }
  func inactive(_ context: Context) { context.next.map { $0.handler.inactive($0) } }
}

final class Context {
  let handler: Handler
  var next: Context?
  unowned let channel: Channel
  init(_ handler: Handler, _ channel: Channel) { (self.handler, self.channel) = (handler, channel) }
}

final class Channel {
  let number: Int
  var first: Context?
  let closed = Promise<Int>()
  init(_ number: Int) { self.number = number }

  func add(_ handler: Handler) {
    let context = Context(handler, self)
    if var last = first {
      while let next = last.next { last = next }
      last.next = context
    } else {
      first = context
    }
    handler.added(context)
  }
  func received(_ text: String) { first.map { $0.handler.read(Array(text.utf8), $0) } }
  func close() {
    first.map { $0.handler.inactive($0) }
    first = nil
    closed.succeed(number)
  }
}

final class LineDecoder: Handler {
  private var rest: [UInt8] = []
  override func read(_ bytes: [UInt8], _ context: Context) {
    rest += bytes
    while let end = rest.firstIndex(of: 10) {
      super.read(Array(rest[..<end]), context)
      rest.removeSubrange(...end)
    }
  }
}

final class IdleTimeout: Handler {
  private var timeout: Scheduled?
  override func added(_ context: Context) {
    let timeout = Scheduled()
    timeout.act = { context.channel.close() }
    self.timeout = timeout
  }
  override func read(_ bytes: [UInt8], _ context: Context) {
    if bytes == Array("bye".utf8) { timeout?.cancel() }
    super.read(bytes, context)
  }
}

final class Server {
  var open: [Int: Channel] = [:]
  var closed = 0

  @inline(never) func accept(_ number: Int) {
    let channel = Channel(number)
    channel.add(LineDecoder())
    channel.add(IdleTimeout())
    channel.closed.whenSucceeds { [unowned self] number in
      open[number] = nil
      closed += 1
    }
    open[number] = channel
  }
}

nonisolated(unsafe) let server = Server()
for number in 0..<200 { server.accept(number) }
for number in 0..<200 {
  let channel = server.open[number]!
  channel.received("hello\n")
  if number % 20 != 7 { channel.received("bye\n") }
  channel.close()
}
print("ready: \(server.closed) closed, \(server.open.count) open")
fflush(nil)
_ = readLine()
