import Realtime

/// The settings of an app by its owner. What a later version has added beside them is left.
struct AppOptions: Equatable, Sendable {
  var isEnabled = true
  /// True if its clients may send events to each other.
  var clientEvents = true
  /// True if a channel's subscribers are told how many they are.
  var subscriptionCount = false
  /// True if connections end that have neither signed in nor subscribed to a channel that asks who they are.
  var authorizedOnly = false
  /// A channel keeps events for those who come back: so many, for so many seconds. 0 keeps none.
  var historySeconds = 0
  var historyCount = 0
  /// The most connections, and messages of a day; 0: no limit of its own.
  var connections = 0
  var messages = 0
  /// The most objects, and megabytes of objects and of files; 0: as many as an app may.
  var objects = 0
  var objectMegabytes = 0
  var fileMegabytes = 0
  /// The most requests for objects in a second; 0: as many as an app may.
  var requests = 0
  var webhooks: [AppWebhook] = []
  /// True if the hub signs for the app's users, so that each may enter its private and presence channels.
  var userChannels = false
  /// True if clients may make classes and fields by using them.
  var clientClasses = true
  /// True if also those who have not signed in may send files.
  var publicFiles = false
  /// True if users with an address are asked whether it is theirs.
  var verifiesEmails = false
  /// Networks from which the master key is taken, beside this machine.
  var masterNetworks: [String] = []
}

/// An address that is told what happens in an app's channels.
struct AppWebhook: Equatable, Sendable {
  var url: String
  var events: [WebhookEvent.Kind]
  /// True if one request may tell several events.
  var isBatched = false

  var realtime: RealtimeWebhook { RealtimeWebhook(url: url, kinds: Set(events), isBatched: isBatched) }
}
