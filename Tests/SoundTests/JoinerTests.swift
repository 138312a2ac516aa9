import Sound
import SpeakingClock
import Testing

/// A voice of tones, each as long as its number of hundredths of a second, with silence around it.
private struct Tones: Voice {
  let name = "Tones"
  var parts: Set<Part> = [.number(10), .number(20), .number(30)]
  var broken: Set<Part> = []
  var loudness: Float = 0.3
  var rate = 44_100

  func clip(_ part: Part) throws(VoiceError) -> Clip {
    guard parts.contains(part) else { throw VoiceError(.missing, part: part, seen: "it has no such tone") }
    guard !broken.contains(part), case .number(let number) = part else {
      throw VoiceError(.damaged, part: part, file: "\(part.name).wav", seen: "it is broken")
    }
    let silence = [Float](repeating: 0, count: rate / 2)
    let period = rate / 441
    let tone = (0..<number * rate / 100).map { ($0 % period < period / 2 ? 1 : -1) * loudness }
    return Clip(samples: silence + tone + silence, rate: rate)
  }
}

struct JoinerTests {
  @Test func `An announcement is as long as its parts and gaps, to the frame`() {
    var joiner = Joiner(voice: Tones(), fallback: Tones(), gap: 0.1)
    let parts: [Part] = [.number(10), .number(30), .number(10), .number(20)]
    let sum = parts.reduce(0) { $0 + joiner.prepared($1).frames }
    let (clip, faults) = joiner.join(parts)
    #expect(clip.frames == sum + 3 * 4_410 && clip.rate == 44_100 && faults == [])
  }

  @Test func `Silence around a part is trimmed, and no more`() {
    var joiner = Joiner(voice: Tones(), fallback: Tones())
    for number in [10, 20, 30] {
      let seconds = joiner.prepared(.number(number)).seconds
      #expect(seconds > Double(number) / 100 && seconds < Double(number) / 100 + 0.08, "\(number): \(seconds)")
    }
  }

  @Test(arguments: [Float(0.01), 0.1, 0.9])
  func `All parts are equally loud`(loudness: Float) {
    var joiner = Joiner(voice: Tones(loudness: loudness), fallback: Tones())
    let samples = joiner.prepared(.number(30)).samples.dropFirst(2_205).prefix(8_820)
    let level = (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
    #expect(abs(level - 0.1) < 0.005, "\(level)")
  }

  @Test func `A broken part and a missing one are named, and said by the other voice`() {
    let other = Tones(parts: [.number(20), .number(30), .number(40)])
    var joiner = Joiner(voice: Tones(broken: [.number(20)]), fallback: other)
    let (clip, faults) = joiner.join([.number(10), .number(20), .number(40), .number(50)])
    #expect(faults.map(\.part) == [.number(20), .number(40), .number(50)])
    #expect(faults[0].code == .damaged && faults[0].message == "Part 20, 20.wav: it is broken.")
    #expect(clip.seconds > 0.7 && clip.seconds < 0.94)
    #expect(joiner.prepared(.number(50)).frames == 0)
  }

  @Test func `A part that is louder than all numbers is said by the other voice`() {
    var joiner = Joiner(voice: Tones(loudness: 1e30), fallback: Tones())
    let (clip, faults) = joiner.join([.number(10), .number(10)])
    #expect(faults.map(\.part) == [.number(10)] && faults.first?.code == .damaged)
    let once = joiner.prepared(.number(10)).frames
    #expect(once > 0 && clip.frames == 2 * once)
  }

  @Test func `Strokes never miss`() {
    var joiner = Joiner(voice: Tones(), fallback: Tones())
    let (clip, faults) = joiner.join([.word(.bigben), .number(10), .word(.bells), .word(.bell)])
    #expect(faults == [] && clip.seconds > 5)
  }

  @Test(arguments: [8_000, 22_050, 48_000])
  func `Parts of any rate come out at the joiner's`(rate: Int) {
    var joiner = Joiner(voice: Tones(rate: rate), fallback: Tones())
    let clip = joiner.prepared(.number(30))
    #expect(clip.rate == 44_100 && abs(clip.seconds - 0.345) < 0.03, "\(clip.seconds)")
  }
}
