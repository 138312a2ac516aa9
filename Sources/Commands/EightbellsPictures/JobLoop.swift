import CLinux
import CSandbox
import Glibc
import Imaging

/// Reads jobs from a socket, one after the other, and answers each, until the other side closes.
struct JobLoop {
  let socket: Int32

  private struct Closed: Error {}

  func run(_ ready: ReadyMessage) -> Int32 {
    var splitter = FrameSplitter(longest: ImagingLimits.inlineBytes + 4096)
    var descriptor: Int32 = -1
    guard send(ready.frame) else { return 1 }
    do {
      while true {
        let frame = try next(&splitter, &descriptor)
        let job = try JobMessage(frame)
        let source = descriptor
        descriptor = -1
        defer { if source >= 0 { close(source) } }
        guard send(outcome(job, source).frame) else { return 1 }
      }
    } catch {
      return error is Closed ? 0 : 3
    }
  }

  private func next(_ splitter: inout FrameSplitter, _ descriptor: inout Int32) throws -> Frame {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if let frame = try splitter.next() { return frame }
      var received: Int32 = -1
      let count = clinux_receive(socket, &piece, piece.count, &received)
      if received >= 0 {
        if descriptor >= 0 { close(descriptor) }
        descriptor = received
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Closed() }
      splitter.feed(piece[..<count])
    }
  }

  private func outcome(_ job: JobMessage, _ source: Int32) -> Outcome {
    do throws(PictureError) {
      if var bytes = job.picture {
        // A `Result`, since closures' typed errors are not carried through.
        return try bytes.withUnsafeMutableBytes { bytes in
          Result { () throws(PictureError) in try Decoder().make(bytes, job) }
        }.map { .made($0) }.get()
      }
      guard source >= 0 else { throw .notAPicture("no file came with the job") }
      let size = csandbox_file_size(source)
      guard size > 0 else { throw .notAPicture(size == 0 ? "an empty file" : "not a regular file") }
      let head = min(size, ImagingLimits.fileBytes)
      // Private: what is changed in it is changed for the decoder alone.
      guard let start = mmap(nil, head, PROT_READ | PROT_WRITE, MAP_PRIVATE, source, 0), start != MAP_FAILED else {
        throw .helperFailed("the file cannot be mapped: \(String(cString: strerror(errno)))")
      }
      defer { munmap(start, head) }
      let made = try Decoder().make(UnsafeMutableRawBufferPointer(start: start, count: head), job)
      guard made.kind != .photo || size == head else { throw .tooLarge("\(size >> 20) MB") }
      return .made(made)
    } catch {
      return .failed(error)
    }
  }

  private func send(_ frame: Frame) -> Bool {
    var rest = frame.bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
