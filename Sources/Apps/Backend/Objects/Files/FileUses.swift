import Hub
import Objects
import Store
import Wire

extension ObjectWriter {
  /// Notes which files an object points to: a file to which nothing points goes after a while.
  func useFiles(of object: StoredObject, insteadOf before: StoredObject?, in number: Int) throws(StoreError) {
    let (names, old) = (Self.files(in: object), before.map(Self.files) ?? [])
    guard names != old else { return }
    try database.use(names, insteadOf: old, in: number, of: app.id)
  }

  static func files(in object: StoredObject) -> Set<String> {
    var names: Set<String> = []
    for field in object.fields { field.value.addFiles(to: &names) }
    return names
  }
}

extension JSON {
  /// Adds the names of the files that a value points to.
  func addFiles(to names: inout Set<String>) {
    switch self {
    case .array(let values): for value in values { value.addFiles(to: &names) }
    case .object(let members):
      if self["__type"]?.string == "File", let name = self["name"]?.string {
        names.insert(name)
      } else {
        for member in members { member.value.addFiles(to: &names) }
      }
    default: return
    }
  }
}
