public import Store
public import Wire

/// The content of a ring that shall become a notification: who gets it, and its words in the languages of the product.
/// `Change.ring` takes its JSON. A ring with other content rings nobody.
public struct Bell: Equatable, Sendable {
  /// A text in English and German.
  public struct Words: Equatable, Sendable {
    public var english: String
    public var german: String

    public init(_ english: String, german: String) {
      self.english = english
      self.german = german
    }
  }

  /// An answer that the notification offers.
  public struct Action: Equatable, Sendable {
    public var id: String
    public var title: Words

    public init(_ id: String, _ title: Words) {
      self.id = id
      self.title = title
    }
  }

  /// How much a notification may interrupt, as `interruption_level` in its content.
  public enum Level: String, Sendable {
    /// Listed, without a sound.
    case passive
    case active
    /// Stands at the top of every page until it is answered.
    case timeSensitive = "time-sensitive"
    /// Also in quiet hours.
    case critical
  }

  /// A circle around a place, in degrees north and east and in metres.
  public struct Circle: Equatable, Sendable {
    public var latitude, longitude: Double
    public var radius: Int

    public init(latitude: Double, longitude: Double, radius: Int) {
      (self.latitude, self.longitude, self.radius) = (latitude, longitude, radius)
    }
  }

  /// A picture beside the words: a blob that the room keeps. The notification keeps it for itself as long as it lasts.
  public struct Picture: Equatable, Sendable {
    public var blob: BlobName
    /// Its media type; devices take it by its bytes.
    public var type: String
    /// Bytes.
    public var size: Int

    public init(_ blob: BlobName, type: String, size: Int) {
      (self.blob, self.type, self.size) = (blob, type, size)
    }
  }

  /// The recipients, as `to` in POST /api/v1/notifications: `{"topic": "kettle"}`.
  public var to: JSON
  /// A topic whose subscribers are left out, because another bell tells them the same in other words.
  public var exceptTopic: String?
  /// People who are left out of topics for the same reason, with all their devices.
  public var exceptPersons: [Int]
  public var title: Words
  public var body: Words?
  /// At most four.
  public var actions: [Action]
  /// The kind of notification, which names its actions.
  public var category: String?
  /// Notifications of one thread are shown together.
  public var thread: String?
  /// A device shows only the newest of the notifications with the same collapse id.
  public var collapseID: String?
  public var level: Level
  /// True to be shown at once, false if it may wait for a moment that suits the device.
  public var isUrgent: Bool
  /// Seconds for which the news is worth knowing, counted from the ring.
  public var lifetime: Double
  /// The page to open, as a path on the hub.
  public var path: String?
  /// Rings nobody but those whose phone tells that they are in this circle, or that they come there in its lifetime.
  /// The room's next bell with the same collapse id ends that.
  public var near: Circle?
  /// Left out if it is not there any more when the notification is made, or if there is no room for it.
  public var picture: Picture?
  /// The parts of a clock's voice that say it, for agents with a loudspeaker (Docs/voices.md).
  public var parts: [String]

  public init(
    to: JSON, exceptTopic: String? = nil, exceptPersons: [Int] = [], title: Words, body: Words? = nil,
    actions: [Action] = [], category: String? = nil, thread: String? = nil, collapseID: String? = nil,
    level: Level = .active, isUrgent: Bool = true, lifetime: Double = 86_400, path: String? = nil, near: Circle? = nil,
    picture: Picture? = nil, parts: [String] = []
  ) {
    self.to = to
    self.exceptTopic = exceptTopic
    self.exceptPersons = exceptPersons
    self.title = title
    self.body = body
    self.actions = actions
    self.category = category
    self.thread = thread
    self.collapseID = collapseID
    self.level = level
    self.isUrgent = isUrgent
    self.lifetime = lifetime
    self.path = path
    self.near = near
    self.picture = picture
    self.parts = parts
  }

  /// The content of the ring.
  public var json: JSON {
    [
      "to": to, "except_topic": JSON(exceptTopic), "except_persons": .array(exceptPersons.map(JSON.int)),
      "title": Self.json(title), "body": body.map(Self.json) ?? .null,
      "actions": .array(actions.map { ["id": .string($0.id), "title": Self.json($0.title)] }),
      "category": JSON(category), "thread": JSON(thread), "collapse_id": JSON(collapseID),
      "level": .string(level.rawValue), "priority": .string(isUrgent ? "high" : "normal"),
      "lifetime": .double(lifetime), "url": JSON(path),
      "near": near.map {
        ["latitude": .double($0.latitude), "longitude": .double($0.longitude), "radius": .int($0.radius)]
      } ?? .null,
      "parts": .array(parts.map(JSON.string)),
      "picture": picture.map {
        [
          "room": .string($0.blob.room), "name": .string($0.blob.name), "type": .string($0.type),
          "size": .int($0.size),
        ]
      } ?? .null,
    ]
  }

  /// Reads the content of a ring.
  /// - Returns: nil if it is not meant to become a notification.
  public init?(_ json: JSON) {
    guard let to = json["to"], let title = Self.words(json["title"]) else { return nil }
    let actions = (json["actions"]?.array ?? []).compactMap { action in
      action["id"]?.string.flatMap { id in Self.words(action["title"]).map { Action(id, $0) } }
    }
    self.init(
      to: to, exceptTopic: json["except_topic"]?.string,
      exceptPersons: (json["except_persons"]?.array ?? []).compactMap(\.int), title: title,
      body: Self.words(json["body"]), actions: actions, category: json["category"]?.string,
      thread: json["thread"]?.string, collapseID: json["collapse_id"]?.string,
      level: json["level"]?.string.flatMap(Level.init) ?? .active, isUrgent: json["priority"]?.string == "high",
      lifetime: json["lifetime"]?.number ?? 0, path: json["url"]?.string, near: json["near"].flatMap(Self.circle),
      picture: json["picture"].flatMap(Self.picture),
      parts: (json["parts"]?.array ?? []).compactMap(\.string))
  }

  private static func picture(_ json: JSON) -> Picture? {
    guard let room = json["room"]?.string, let name = json["name"]?.string, let type = json["type"]?.string,
      let size = json["size"]?.int
    else { return nil }
    return Picture(BlobName(room: room, name), type: type, size: size)
  }

  private static func circle(_ json: JSON) -> Circle? {
    guard let latitude = json["latitude"]?.number, let longitude = json["longitude"]?.number,
      let radius = json["radius"]?.int
    else { return nil }
    return Circle(latitude: latitude, longitude: longitude, radius: radius)
  }

  private static func json(_ words: Words) -> JSON { ["en": .string(words.english), "de": .string(words.german)] }

  private static func words(_ json: JSON?) -> Words? {
    guard let english = json?["en"]?.string, let german = json?["de"]?.string else { return nil }
    return Words(english, german: german)
  }
}

/// A topic that a room rings, to which people and devices can subscribe.
public struct BellTopic: Equatable, Sendable {
  public var id: String
  public var name: Bell.Words
  /// True if strangers may subscribe too, false if members only.
  public var isForAll: Bool

  public init(_ id: String, _ name: Bell.Words, isForAll: Bool) {
    self.id = id
    self.name = name
    self.isForAll = isForAll
  }
}

/// The answer to a notification that a room rang.
public struct BellAnswer: Equatable, Sendable {
  public var notification: Int
  /// The id of the action that was chosen.
  public var action: String
  /// The text that was typed, for an action that asks for one.
  public var text: String?
  /// The person who answered; nil for a device that belongs to nobody.
  public var person: Int?
  public var topic: String?
  public var collapseID: String?

  public init(
    notification: Int, action: String, text: String? = nil, person: Int? = nil, topic: String? = nil,
    collapseID: String? = nil
  ) {
    self.notification = notification
    self.action = action
    self.text = text
    self.person = person
    self.topic = topic
    self.collapseID = collapseID
  }
}
