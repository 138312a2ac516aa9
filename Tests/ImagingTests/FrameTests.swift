import Imaging
import Testing
import World

struct FrameTests {
  @Test func `frames are found however the bytes are cut`() throws {
    let frames = [
      JobMessage(wish: .sizes([320, 1600]), name: "a.jpg").frame, JobMessage(wish: .preview, picture: [1, 2, 3]).frame,
      ReadyMessage(sandbox: "Landlock 7", videoProblem: nil).frame,
    ]
    for cut in everyCut(of: frames.flatMap(\.bytes)) {
      var splitter = FrameSplitter()
      var found: [Frame] = []
      for piece in cut {
        splitter.feed(piece)
        while let frame = try splitter.next() { found.append(frame) }
      }
      #expect(found == frames)
    }
  }

  @Test func `a frame that is too long is refused before its content comes`() {
    var splitter = FrameSplitter(longest: 100)
    splitter.feed([0, 0, 0, 101])
    #expect(throws: Frame.Fault.tooLong(101)) { try splitter.next() }
    var empty = FrameSplitter()
    empty.feed([0, 0, 0, 0])
    #expect(throws: Frame.Fault.malformed) { try empty.next() }
    var odd = FrameSplitter()
    odd.feed([0, 0, 0, 1, 77])
    #expect(throws: Frame.Fault.unknownKind(77)) { try odd.next() }
  }

  @Test(arguments: [
    JobMessage(wish: .preview, name: nil, picture: [0xff, 0xd8]),
    JobMessage(wish: .sizes([16, 320, 1600, 4096]), name: "Größe.CR2", picture: nil),
    JobMessage(wish: .sizes([320]), name: "", picture: []),
  ])
  func `a job is the same on the other side`(job: JobMessage) throws {
    #expect(try JobMessage(job.frame) == job)
  }

  @Test func `an outcome is the same on the other side`() throws {
    var picture = MadePicture()
    (picture.kind, picture.width, picture.height) = (.photo, 4032, 3024)
    picture.taken = "2026-11-21T18:04:00"
    picture.pair = "ACE5F2B1-1111-4222-8333-123456789ABC"
    // One character with marks without end.
    let marks = "😀" + String(repeating: "\u{e0100}", count: 5_000)
    picture.words = PictureWords(title: marks, caption: marks)
    #expect(try Outcome(Outcome.made(picture).frame) == .made(picture))
    picture.words = PictureWords(title: "Fog", caption: "Over the harbour.\nAt six.")
    picture.placeholder = [1, 2, 3]
    picture.sizes = [320: [0xff, 0xd8, 0xff, 1], 1600: [0xff, 0xd8, 0xff, 2, 3]]
    #expect(try Outcome(Outcome.made(picture).frame) == .made(picture))
    for error in [PictureError.notAPicture("cut"), .tooLarge("65535 × 65535")] {
      #expect(try Outcome(Outcome.failed(error).frame) == .failed(error))
    }
    #expect(try Outcome(Outcome.failed(.tookTooLong).frame) == .failed(.helperFailed("it took too long")))
  }

  @Test func `a decoder that was taken over can hand over nothing but pictures`() throws {
    var picture = MadePicture()
    picture.sizes = [320: Array("<script>".utf8)]
    #expect(throws: Frame.Fault.malformed) { try Outcome(Outcome.made(picture).frame) }
    picture.sizes = [:]
    picture.taken = "<b>now</b>"
    picture.pair = "../../x"
    picture.words = PictureWords(title: "a\nb\u{7}\u{0}c ", caption: String(repeating: "x", count: 5_000))
    let made = try Outcome(Outcome.made(picture).frame)
    picture = MadePicture()
    picture.words = PictureWords(title: "a bc", caption: String(repeating: "x", count: 4_000))
    #expect(made == .made(picture))
    picture = MadePicture()
    picture.placeholder = Array(repeating: 0, count: 33)
    #expect(throws: Frame.Fault.malformed) { try Outcome(Outcome.made(picture).frame) }
  }

  @Test func `content that ends early, or goes on, is refused`() {
    let frame = JobMessage(wish: .sizes([320]), name: "a", picture: [1, 2]).frame
    for count in 0..<frame.content.count {
      #expect(throws: Frame.Fault.malformed) { try JobMessage(Frame(.job, Array(frame.content.prefix(count)))) }
    }
    #expect(throws: Frame.Fault.malformed) { try JobMessage(Frame(.job, frame.content + [0])) }
    #expect(throws: Frame.Fault.malformed) { try JobMessage(Frame(.made, frame.content)) }
    // Of 15 or 5,000 pixels.
    for edge in [15, 5000] {
      #expect(throws: Frame.Fault.malformed) { try JobMessage(JobMessage(wish: .sizes([edge])).frame) }
    }
  }
}
