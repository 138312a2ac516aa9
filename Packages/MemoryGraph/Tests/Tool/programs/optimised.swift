// Line information in optimised code: several addresses of one line, and addresses without any. All of it leaks.
import Glibc

final class Single {
  var text = ""
}

@inline(never) func loseInLoop() {
  for _ in 0..<4 {
    let place = Unmanaged.passRetained(Single()).toOpaque()
    Unmanaged<Single>.fromOpaque(place).takeUnretainedValue().text = "lost"
  }
}

final class Shared {
  var number = 0
}

@inline(never) func loseShared() {
  let place = Unmanaged.passRetained(Shared()).toOpaque()
  Unmanaged<Shared>.fromOpaque(place).takeUnretainedValue().number += 1
}

nonisolated(unsafe) var calls = 0

@inline(never) func loseHere() {
  loseShared()
  calls += 1
}

@inline(never) func loseThere() {
  loseShared()
  loseShared()
  calls += 2
}

indirect enum Sum {
  case leaf(Holder)
  case two(Sum, Sum)
  case none
}

final class Holder {
  var sum: Sum = .none
}

@inline(never) func loseBoxes() {
  for _ in 0..<2 {
    let holder = Holder()
    holder.sum = .two(.leaf(holder), .leaf(holder))
  }
}

final class Keeper {
  var others: [String: Keeper] = [:]
}

@inline(never) func loseKeeper() {
  let keeper = Keeper()
  keeper.others["the key of a keeper"] = keeper
}

/// Overwrites what calls have left on the stack.
@inline(never) func scrub() {
  withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { bytes in
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    calls += Int(bytes[calls & 7])
  }
}

loseInLoop()
loseHere()
loseThere()
loseBoxes()
loseKeeper()
scrub()
exit(0)
