public import Wire

/// The parts of objects that a request wants to have: `keys`, `excludeKeys`, `include` and `includeAll`.
public struct Selection: Equatable, Sendable {
  /// Nil for everything.
  public var keys: [[String]]?
  public var excludedKeys: [[String]] = []
  /// The paths of pointers in whose place the objects stand, each after those it goes through.
  public var include: [[String]] = []
  /// True if all pointers of an object are to be included, at its first level.
  public var includesAll = false

  public init() {}

  /// The names of parameters that are read here.
  static let parameters: Set = ["keys", "excludeKeys", "include", "includeAll"]
  /// Parameters of Parse Server that mean nothing here: they choose among MongoDB's replicas and indexes.
  static let ignored: Set = [
    "hint", "comment", "explain", "readPreference", "includeReadPreference", "subqueryReadPreference",
  ]

  /// The parameters of a request for one object.
  public init(ofOne parameters: [JSON.Member]) throws(ObjectError) {
    for parameter in parameters where !Self.ignored.contains(parameter.name) {
      guard Self.parameters.contains(parameter.name) else {
        throw .query(
          "Improper encode of parameter: \(parameter.name.prefix(60)); for one object keys, excludeKeys and include "
            + "are accepted.")
      }
      try read(parameter)
    }
    complete()
  }

  mutating func read(_ parameter: JSON.Member) throws(ObjectError) {
    switch parameter.name {
    case "includeAll": includesAll = try Self.truth(parameter)
    case "include":
      include = try Self.paths(parameter)
      if include.contains(["*"]) { includesAll = true }
      include.removeAll { $0 == ["*"] }
    case "excludeKeys":
      excludedKeys = try Self.paths(parameter).filter { !Self.always.contains($0[0]) }
    default: keys = try Self.paths(parameter)
    }
  }

  /// Adds what the paths go through: `a.b` includes `a`, and so does the key `a.b`.
  mutating func complete() {
    var all = Set(include)
    for path in include + ((keys ?? []) + excludedKeys).map({ Array($0.dropLast()) }) {
      for count in 0..<path.count { all.insert(Array(path.prefix(count + 1))) }
    }
    include = all.sorted { ($0.count, $0.joined(separator: ".")) < ($1.count, $1.joined(separator: ".")) }
  }

  /// Paths with commas between them, or a list of paths.
  private static func paths(_ parameter: JSON.Member) throws(ObjectError) -> [[String]] {
    var texts: [Substring] = []
    for value in parameter.value.array ?? [parameter.value] {
      guard let text = value.string else {
        throw .query("\(parameter.name): \(value.kind); names with commas between them are accepted.")
      }
      texts += text.split(separator: ",")
    }
    let paths = texts.map { text in
      text.split(separator: ".").map { String($0.filter { $0 != " " }) }
    }
    let isAccepted =
      paths.count <= ObjectsLimits.paths
      && paths.allSatisfy { !$0.isEmpty && $0.count <= ObjectsLimits.pathParts }
      && texts.allSatisfy { $0.utf8.count <= ObjectsLimits.pathBytes }
    guard isAccepted else {
      throw .query(
        "\(parameter.name): up to \(ObjectsLimits.paths) names of up to \(ObjectsLimits.pathParts) parts are accepted.")
    }
    return paths
  }

  static func truth(_ parameter: JSON.Member) throws(ObjectError) -> Bool {
    switch parameter.value {
    case .bool(let value): return value
    case .int(let value): return value != 0
    case .double(let value): return value != 0
    case .null: return false
    case .string(let text): return !["", "0", "false"].contains(text)
    default: throw .query("\(parameter.name): \(parameter.value.kind); 0 or 1 is accepted.")
    }
  }

  // MARK: Choosing

  /// Every object is shown with these.
  private static let always: Set = ["objectId", "createdAt", "updatedAt", "ACL", "__type", "className"]

  /// The chosen parts of an object as `StoredObject.json` shows it, with what was included.
  public func shown(_ object: JSON) -> JSON {
    var object = object
    if let keys { object = Self.only(keys.map { $0[...] }, of: object, isObject: true) }
    return excludedKeys.isEmpty ? object : Self.without(excludedKeys.map { $0[...] }, in: object)
  }

  private static func only(_ paths: [ArraySlice<String>], of json: JSON, isObject: Bool) -> JSON {
    switch json {
    case .array(let values): return .array(values.map { only(paths, of: $0, isObject: isObject) })
    case .object(let members):
      let type = json["__type"]
      // A date or a pointer stays whole.
      guard isObject || type == nil || type == "Object" else { return json }
      let isStored = isObject || type == "Object"
      return .object(
        members.compactMap { member in
          if isStored, always.contains(member.name) { return member }
          let rest = paths.filter { $0.first == member.name }.map { $0.dropFirst() }
          if rest.isEmpty { return nil }
          if rest.contains(where: \.isEmpty) { return member }
          return .init(member.name, only(rest, of: member.value, isObject: false))
        })
    default: return json
    }
  }

  private static func without(_ paths: [ArraySlice<String>], in json: JSON) -> JSON {
    switch json {
    case .array(let values): return .array(values.map { without(paths, in: $0) })
    case .object(let members):
      return .object(
        members.compactMap { member in
          let rest = paths.filter { $0.first == member.name }.map { $0.dropFirst() }
          if rest.isEmpty { return member }
          return rest.contains(where: \.isEmpty) ? nil : .init(member.name, without(rest, in: member.value))
        })
    default: return json
    }
  }
}
