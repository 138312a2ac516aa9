/// An action of a notification: a button, or a field for text (UNNotificationAction, UNTextInputNotificationAction).
public struct Action: Equatable, Sendable {
  public let json: JSONValue

  public enum Option: Sendable, Named {
    /// Opens the app.
    case foreground
    /// Removes something: shown in red.
    case destructive
    /// Asks for the device's confirmation first.
    case authenticationRequired

    static var names: [(StaticString, Self)] {
      [
        ("foreground", .foreground), ("destructive", .destructive),
        ("authentication_required", .authenticationRequired),
      ]
    }
    static var accepted: StaticString {
      "a list of foreground, destructive and authentication_required, each at most once, is accepted"
    }
  }

  var idText: [UInt8] { json["id"]?.utf8Text ?? [] }
  public var id: String { json["id"]?.string ?? "" }
  public var title: String { json["title"]?.string ?? "" }
  public var options: [Option] { json.words("options") }
  public var takesText: Bool { json["text_input"] != nil }
  /// The app comes to the front when it is pressed.
  public var opensApp: Bool { options.contains(.foreground) }
  /// The device has to be unlocked, or its owner confirmed, before the response is passed on.
  public var needsAuthentication: Bool { options.contains(.authenticationRequired) }
  /// Something has to be typed or confirmed first: a banner without room for that leads into the app.
  public var asksFirst: Bool { takesText || needsAuthentication }
  /// Removes something: shown in red.
  public var isDestructive: Bool { options.contains(.destructive) }
  /// The button beside the field; nil if the action takes no text or names none.
  public var button: String? { json["text_input"]?["button"]?.string }
  public var placeholder: String? { json["text_input"]?["placeholder"]?.string }
}

/// The actions that all notifications of a kind have (UNNotificationCategory).
public struct Category: Equatable, Sendable {
  public let json: JSONValue

  public enum Option: Sendable, Named {
    /// The app hears of a dismissal.
    case customDismissAction
    /// May be shown in a car.
    case allowInCar
    /// The title is shown although the device hides what notifications say.
    case hiddenPreviewsShowTitle
    case hiddenPreviewsShowSubtitle

    static var names: [(StaticString, Self)] {
      [
        ("custom_dismiss_action", .customDismissAction), ("allow_in_car", .allowInCar),
        ("hidden_previews_show_title", .hiddenPreviewsShowTitle),
        ("hidden_previews_show_subtitle", .hiddenPreviewsShowSubtitle),
      ]
    }
    static var accepted: StaticString {
      """
      a list of custom_dismiss_action, allow_in_car, hidden_previews_show_title and hidden_previews_show_subtitle, \
      each at most once, is accepted
      """
    }
  }

  /// Reads a category: {"id", "actions", "options"}.
  public static func check(_ text: [UInt8]) -> Result<Category, Refusal> {
    .reading(text) { check($0) }
  }

  static func check(_ json: JSONValue) -> Result<Category, Refusal> {
    var faults = Faults()
    guard faults.isObject(json) else { return .failure(faults.refusal) }
    _ = faults.required(json, Field([], "id"), 1...NotificationLimits.identifierBytes)
    faults.checkActions(json, Field([], "actions"))
    _ = faults.words(json, Field([], "options"), Option.self)
    return faults.isEmpty ? .success(Category(json: json)) : .failure(faults.refusal)
  }

  public var id: String { json["id"]?.string ?? "" }
  public var actions: [Action] { (json["actions"]?.list ?? []).map { Action(json: $0) } }
  public var options: [Option] { json.words("options") }
}
