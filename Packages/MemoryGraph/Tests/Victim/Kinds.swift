/// A harbour that refers to a pilot with each kind of reference, and to one pilot twice.
final class Harbour {
  let strongly: Pilot
  unowned let also: Pilot
  weak var weakly: Pilot?
  unowned let unownedly: Pilot
  unowned(unsafe) let unmanaged: Pilot
  /// A C block with the address of the last pilot.
  let chart = UnsafeMutablePointer<UInt>.allocate(capacity: 8)

  init(_ pilots: [Pilot]) {
    (strongly, also, weakly, unownedly, unmanaged) = (pilots[0], pilots[0], pilots[1], pilots[2], pilots[3])
    chart.initialize(repeating: 0, count: 8)
    chart[5] = UInt(bitPattern: Unmanaged.passUnretained(pilots[4]).toOpaque())
  }
}
final class Pilot {}

nonisolated(unsafe) private var harbours: [Harbour] = []
nonisolated(unsafe) private var pilots: [Pilot] = []

@inline(never) func makeHarbour() {
  let all = (0..<5).map { _ in Pilot() }
  for pilot in all { live(pilot, "Pilot") }
  let harbour = Harbour(all)
  live(harbour, "Harbour")
  pilots += all
  harbours.append(harbour)
}
