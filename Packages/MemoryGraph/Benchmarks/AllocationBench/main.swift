import Glibc

// A program that mostly allocates (objects in a list, texts, arrays and a dictionary) at a given depth of calls. It
// prints the seconds of CPU that it took.
//
//     allocationbench DEPTH ROUNDS

final class Node {
  var next: Node?
  let value: Int
  init(_ value: Int, _ next: Node?) {
    self.value = value
    self.next = next
  }
}

@inline(never) func list(_ count: Int) -> Node? {
  var head: Node?
  for value in 0..<count { head = Node(value, head) }
  return head
}

/// Releases the elements one by one: releasing all at once would recurse as deep as the list is long.
@inline(never) func sum(_ list: consuming Node?) -> Int {
  var sum = 0
  var rest = list
  while let node = rest {
    sum &+= node.value
    rest = node.next
    node.next = nil
  }
  return sum
}

@inline(never) func texts(_ count: Int) -> Int {
  var places: [String: [Int]] = [:]
  for number in 0..<count { places["a text of more than fifteen bytes, \(number % 500)", default: []].append(number) }
  return places.count
}

/// Recursive, since the test needs every frame.
@inline(never) func work(depth: Int, rounds: Int) -> Int {
  withUnsafeTemporaryAllocation(of: Int.self, capacity: 4) { words in
    words.initialize(repeating: depth)
    if depth > 0 { return work(depth: depth - 1, rounds: rounds) &+ words[depth & 3] }
    return (0..<rounds).reduce(0) { result, _ in result &+ sum(list(100_000)) &+ texts(20_000) }
  }
}

let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard words.count == 2 else { fatalError("allocationbench DEPTH ROUNDS") }
var before = timespec()
var after = timespec()
clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before)
let result = work(depth: words[0], rounds: words[1])
clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after)
guard result != 0 else { fatalError("nothing was done") }
print(Double(after.tv_sec - before.tv_sec) + Double(after.tv_nsec - before.tv_nsec) / 1e9)
