import Hub
import Objects
import Store
import Wire

extension ObjectWriter {
  /// Notes which files an object names, also by an address in a text, as many apps keep them: a file that nothing names
  /// goes after a while.
  func useFiles(of object: StoredObject, insteadOf before: StoredObject?, in number: Int) throws(StoreError) {
    let (files, old) = (Self.files(in: object), before.map(Self.files) ?? [])
    guard files != old else { return }
    try database.use(files, insteadOf: old, in: number, of: app.id)
  }

  static func files(in object: StoredObject) -> Set<FileDigits> {
    var files: Set<FileDigits> = []
    for field in object.fields { field.value.addFiles(to: &files) }
    return files
  }
}

extension JSON {
  /// Adds the files that a value names.
  fileprivate func addFiles(to files: inout Set<FileDigits>) {
    switch self {
    case .string(let text): FileDigits.each(in: text) { files.insert($0) }
    case .array(let values): for value in values { value.addFiles(to: &files) }
    case .object(let members): for member in members { member.value.addFiles(to: &files) }
    default: return
    }
  }
}
