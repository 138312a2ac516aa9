// A server of many actors: a fleet whose boats each have a task that waits for orders. One mistake: a boat whose orders
// are never ended. Its task holds the boat, the boat holds where the orders come from, and that holds the waiting task.
import Glibc

actor Harbour {
  private var boats: [Int: Boat] = [:]
  private(set) var arrived = 0
  func launch(_ number: Int) async {
    let boat = Boat(number, from: self)
    boats[number] = boat
    await boat.begin()
  }
  func note() { arrived += 1 }
  func recall(_ number: Int, gently: Bool) async {
    guard let boat = boats.removeValue(forKey: number) else { return }
    await boat.order("home")
    if gently { await boat.end() }
  }
  var count: Int { boats.count }
}

actor Boat {
  private let number: Int
  private unowned let harbour: Harbour
  private let orders: AsyncStream<String>
  private let source: AsyncStream<String>.Continuation
  private var log: [String] = []
  private var sailing: Task<Void, Never>?

  init(_ number: Int, from harbour: Harbour) {
    (self.number, self.harbour) = (number, harbour)
    (orders, source) = AsyncStream.makeStream(of: String.self)
  }
  func begin() {
    sailing = Task { await self.sail() }
  }
  private func sail() async {
    for await order in orders {
      log.append(order)
      if order == "home" { await harbour.note() }
    }
  }
  func order(_ text: String) { source.yield(text) }
  func end() { source.finish() }
}

let harbour = Harbour()
for number in 0..<300 { await harbour.launch(number) }
for number in 0..<300 { await harbour.recall(number, gently: number % 30 != 11) }
while await harbour.arrived < 300 { await Task.yield() }
// Those that have ended still have a step to go.
try await Task.sleep(nanoseconds: 200_000_000)
print("ready: \(await harbour.count) boats, \(await harbour.arrived) arrived")
fflush(nil)
_ = readLine()
