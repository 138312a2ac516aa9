import Objects
import Wire

/// An address of an app's own server that is called in place of code in the hub: by a function's name, or before and
/// after objects of a class are saved or deleted (Parse's hooks).
struct Hook: Equatable, Sendable {
  enum Trigger: String, CaseIterable, Sendable {
    case beforeSave, afterSave, beforeDelete, afterDelete
  }
  enum Name: Hashable, Sendable {
    case function(String)
    case trigger(Trigger, className: String)
  }
  var name: Name
  var url: String

  /// As Parse shows it.
  var json: JSON {
    switch name {
    case .function(let function): ["functionName": .string(function), "url": .string(url)]
    case .trigger(let trigger, let className):
      ["className": .string(className), "triggerName": .string(trigger.rawValue), "url": .string(url)]
    }
  }

  /// The error for a hook that is to be changed or shown, and is not there.
  static func missing(_ name: Name) -> ObjectError {
    switch name {
    case .function(let function): ObjectError(143, "no function named: \(function) is defined")
    case .trigger(_, let className): ObjectError(143, "class \(className) does not exist")
    }
  }

  /// The error for a new one whose name is taken, with Parse Server's spelling, which clients' tests know.
  static func taken(_ name: Name) -> ObjectError {
    switch name {
    case .function(let function): ObjectError(143, "function name: \(function) already exits")
    case .trigger(let trigger, let className):
      ObjectError(143, "class \(className) already has trigger \(trigger.rawValue)")
    }
  }

  static func wrong(_ words: String) -> ObjectError { ObjectError(143, "invalid hook declaration: \(words)") }
}

extension Hook.Name {
  /// - Parameters:
  ///   - kind: "functions" or "triggers", as in addresses.
  ///   - parts: a function's name, or a class and a trigger.
  init(_ kind: String, _ parts: [String]) throws(ObjectError) {
    switch (kind, parts.count) {
    case ("functions", 1):
      guard (1...AppsLimits.functionBytes).contains(parts[0].utf8.count),
        parts[0].utf8.allSatisfy({ $0 > 32 && $0 != 127 && $0 != UInt8(ascii: "/") })
      else { throw Hook.wrong("a function's name has 1 to \(AppsLimits.functionBytes) bytes, no space and no slash.") }
      self = .function(parts[0])
    case ("triggers", 2):
      guard ClassSchema.isClassName(parts[0]) else { throw .className(parts[0]) }
      guard let trigger = Hook.Trigger(rawValue: parts[1]) else {
        let all = Hook.Trigger.allCases.map(\.rawValue).joined(separator: ", ")
        throw Hook.wrong("the trigger \(parts[1].prefix(40)); \(all) are accepted.")
      }
      self = .trigger(trigger, className: parts[0])
    default: throw Hook.wrong("functionName and url are accepted, or className, triggerName and url.")
    }
  }
}
