import Glibc

/// Threads that never rest, so that every look comes in the middle of a change.
enum Busy {
  final class Item {
    var number = 0
  }
  /// A thread's items. Only the array holds them, and inserting one in front moves all.
  final class Line {
    var items: [Item] = []
    init(_ count: Int) { for _ in 0..<count { items.append(Item()) } }
  }
  nonisolated(unsafe) static var lines: [Line] = []

  /// One line for each thread. Its items are moved many at a time through vector registers, so that some of them may be
  /// nowhere else for a moment.
  static func make(_ count: Int) {
    for _ in 0..<4 { lines.append(Line(count)) }
    for line in lines { for item in line.items { live(item, "item") } }
    for line in lines {
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { context in
          let line = Unmanaged<Line>.fromOpaque(context!).takeUnretainedValue()
          while true { line.items.insert(line.items.removeLast(), at: 0) }
        }, Unmanaged.passUnretained(line).toOpaque())
    }
  }
}

/// Live objects that were retained once too often by hand.
enum OverRetained {
  final class Ticket {
    var number = 0
  }
  nonisolated(unsafe) static var tickets: [Ticket] = []

  static func make(_ count: Int) {
    // Growing would leave old storage behind, and whoever reuses that memory may keep the old words: apparent
    // references to the tickets, which would account for the excess count.
    tickets.reserveCapacity(2 * count)
    for number in 0..<2 * count {
      let ticket = Ticket()
      tickets.append(ticket)
      live(ticket, number < count ? "forgotten" : "ticket")
      if number < count { _ = Unmanaged.passRetained(ticket) }
    }
  }
}
