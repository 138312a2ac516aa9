import Glibc
import Sound
import SpeakingClock

// Times the joining of a full day of announcements, from nothing: parts are read, trimmed, levelled and resampled too.
// With a folder as its argument it uses that voice pack.

let voice: any Voice
do {
  let folder = CommandLine.arguments.dropFirst().first
  voice = try folder.map { try VoicePack(folder: $0) } ?? BuiltInVoice.english.voice
} catch {
  print((error as? VoiceError)?.message ?? "\(error)")
  exit(2)
}

func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let settings = ClockSettings()
let start = monotonicSeconds()
var joiner = Joiner(voice: voice, fallback: BuiltInVoice.english.voice)
// As a clock does, which keeps no announcement that is over.
let day = stride(from: 0, to: 1_440, by: 15).map { minute in
  let (clip, faults) = joiner.join(settings.parts(at: minute))
  return (frames: clip.frames, seconds: clip.seconds, isGood: faults.isEmpty)
}
let seconds = monotonicSeconds() - start

// As long as the sum of the parts and their gaps, to the frame.
var wrong = 0
for (number, joined) in day.enumerated() {
  let parts = settings.parts(at: number * 15)
  let gaps = (parts.count - 1) * Int((voice.gap * 44_100).rounded())
  let sum = parts.reduce(gaps) { $0 + joiner.prepared($1).frames }
  if joined.frames != sum || !joined.isGood { wrong += 1 }
}
print("announcements \(day.count)")
print("milliseconds \(seconds * 1_000)")
print("sound \(day.reduce(0) { $0 + $1.seconds })")
print("wrong \(wrong)")
