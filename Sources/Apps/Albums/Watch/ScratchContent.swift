import Imaging
import Store

extension ScratchFile {
  /// A descriptor of a blob's content; one that is kept within the database is written to a file first.
  static func descriptor(of content: BlobContent, in folder: String) throws(Failure) -> ScratchFile {
    switch content.body {
    case .file(let file): return try ScratchFile(copying: file.descriptor)
    case .bytes(let bytes):
      let file = try ScratchFile(in: folder)
      try file.write(bytes, at: 0)
      return file
    }
  }
}
