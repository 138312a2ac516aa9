import AnchorWatch
import Testing
import World

struct SwingTests {
  /// A boat on a rode of 30 m, its receiver wrong by about `noise` metres.
  private func track(_ bearings: ClosedRange<Double>, radius: Double = 30, noise: Double, seed: UInt64) -> [Position] {
    var random = SeededGenerator(state: seed)
    return (0..<1_000).map { number in
      let share = Double(number) / 1_000
      let bearing = bearings.lowerBound + (bearings.upperBound - bearings.lowerBound) * share
      func error() -> Double {
        (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } * noise / 2
      }
      return Boat.place(radius, bearing).moved(bearing: 0, distance: error()).moved(bearing: 90, distance: error())
    }
  }

  @Test(arguments: [100.0, 140, 200, 340]) func `the anchor is found from the arc, within the error that is told`(
    arc: Double
  ) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let swing = try #require(Swing(of: track(40...40 + arc, noise: 2, seed: seed), hours: 6))
      #expect(swing.anchor.distance(to: Boat.anchor) < max(4 * swing.error, 1))
      #expect(abs(swing.radius - 30) < 4 * swing.error + 1 && abs(swing.arc - arc) < 40)
      #expect(swing.isBetter(than: Boat.place(15)) && !swing.isBetter(than: swing.anchor))
    }
  }

  @Test func `a short arc, a cloud, a line and a still boat are no circle`() {
    #expect(Swing(of: track(40...80, noise: 2, seed: 1), hours: 6) == nil)
    #expect(Swing(of: track(0...0, noise: 3, seed: 2), hours: 6) == nil)
    #expect(Swing(of: (0..<100).map { Boat.place(Double($0)) }, hours: 6) == nil)
    #expect(Swing(of: [Position](repeating: Boat.anchor, count: 100), hours: 6) == nil)
    #expect(Swing(of: [], hours: 6) == nil)
  }

  @Test func `how far a boat swings on its rode`() throws {
    let rode = Rode(length: 30, depth: 5, bowHeight: 1)
    #expect(abs(try #require(rode.straight) - 29.394) < 0.001 && rode.scope == 5)
    let chain = Rode(length: 50, depth: 8, bowHeight: 1.2)
    #expect(abs(try #require(chain.swing(pull: 200)) - 46.40) < 0.01)
    #expect(abs(try #require(chain.swing(pull: 1_000)) - 48.24) < 0.01)
    // The more pull, the farther, up to the straight rode; without any, the chain hangs straight down.
    let swings = stride(from: 0.0, to: 60_000, by: 50).map { chain.swing(pull: $0)! }
    #expect(zip(swings, swings.dropFirst()).allSatisfy { $0 < $1 })
    #expect(swings[0] == 50 - 9.2 && chain.straight! - swings.last! < 0.01 && swings.last! < chain.straight!)
    #expect(Rode(length: 5, depth: 5, bowHeight: 1).straight == nil)
    #expect(Rode(length: 7, depth: 5, bowHeight: 1, tide: 2).swing(pull: 10) == nil)
    let rope = Rode(length: 30, depth: 5, bowHeight: 1, isChain: false)
    #expect(rope.swing(pull: 10) == rope.straight)
    #expect(Rode.radius(swing: 30, bow: 4, hdop: 2) == 59)
    #expect(abs(Rode.pull(wind: 15.4, length: 10, beam: 3.2) - 1_273) < 1)
  }
}
