import Server
import Wire

/// The limits of this module. Pusher's own where it has one.
package enum RealtimeLimits {
  /// Seconds of silence after which a client should send a ping.
  static let activityTimeout = 120
  package static let channelName = 164
  package static let eventName = 200
  /// The most channels of one connection.
  package static let channelsOfConnection = 100
  /// Bytes of a message from an app's client, and of its first sign-in, which may list a hundred users.
  package static let messageBytes = 16 << 10
  package static let signInBytes = 20 << 10
  /// Bytes of a client event's data.
  package static let clientEventBytes = 10 << 10
  static let clientEvents = Rate(burst: 10, perSecond: 10)
  /// A user's id, in characters of Unicode, each of at most four bytes: a letter with its marks may have thousands.
  package static let userID = 128
  package static let members = 100
  /// Bytes of a member's `user_info`.
  package static let userInfoBytes = 1 << 10
  package static let watchlist = 100
  /// Seconds for which a cache channel keeps its event, and the most channels of an app that keep one.
  package static let cacheSeconds = 1_800.0
  package static let cachedChannels = 10_000
  /// Subscribers above which their count is told every few seconds only.
  package static let countedAtOnce = 100
  package static let countSeconds = 5.0
  /// Seconds for signing in, or for a subscription with a signature, where an app demands one of them.
  static let authorizationSeconds = 30.0
  /// Messages of a client that wait for the app to be found.
  static let waitingMessages = 8
  /// The most connections of all apps together: some of `ServerLimits.connections` stay for the hub's own pages.
  static let appConnections = ServerLimits.connections * 4 / 5

  // MARK: History
  /// The most of an app's options that counts: events of a channel, and their seconds.
  package static let historyCount = 1_000
  package static let historySeconds = 86_400
  /// Bytes of events that one app keeps, and of all that is kept for all apps together.
  package static let historyBytes = 4 << 20
  package static let allHistoryBytes = 64 << 20
  /// The most clients of a channel that may come back for what they missed, of an app, and their bytes: long names of
  /// users leave room for fewer.
  package static let places = 1_000
  package static let placesOfApp = 10_000
  package static let placeBytes = 1 << 20
  /// The most channels of an app that have neither subscribers nor events and are kept for who may come back, and an
  /// estimate of the bytes of one. They have this room besides that of events.
  package static let awaitingChannels = 4_000
  static let vacantBytes = 400
  /// Seconds between two looks at what has become too old.
  static let sweepSeconds = 60.0

  /// Before the client's app is known, and in the hub's own.
  static let messages = MessageBounds(
    strangersBytes: MessageBounds.listeners.strangersBytes, bytes: MessageBounds.listeners.bytes,
    rate: MessageBounds.listeners.rate, silence: CloseCode.noPong)
  /// In other apps. A client that is back subscribes to all its channels at once; and too many client events are
  /// errors before they end the connection.
  static let appMessages = MessageBounds(
    strangersBytes: signInBytes, bytes: signInBytes, rate: Rate(burst: 240, perSecond: 20), silence: CloseCode.noPong)

  // MARK: Several hubs
  /// Seconds after which a client is served even if nobody says that the events of other hubs are heard.
  static let hearSeconds = 1.0
  /// Seconds between two signs of life of a hub, and without one until everybody at it counts as gone.
  static let helloSeconds = 1.0
  static let peerSeconds = 4.0
  /// Seconds for which what has changed is collected for the other hubs.
  static let tellSeconds = 0.01
  /// Bytes of one message to them, give or take one channel with all its members: NATS takes up to 1 MB.
  static let toldBytes = 256 << 10
  /// Webhooks that are kept in case the hub dies that sends them: those of some seconds. Past it the older half goes.
  static let heldWebhooks = 10_000

  // MARK: HTTP API
  /// Seconds by which a request's time stamp may be wrong.
  static let clockSeconds = 600
  /// Bytes of an event's data.
  static let eventBytes = 10_240
  /// Channels of one event, and events of a batch.
  static let channelsOfEvent = 100
  static let eventsOfBatch = 10
  /// Bytes of a request with one event: its data may be escaped sixfold in JSON, and a hundred names come with it.
  static let requestBytes = 96 << 10
  static let batchBytes = 10 * (64 << 10)
  /// The rate of one address. The programs of several apps may run behind it, and a request costs some microseconds
  /// until its signature is known to be wrong.
  static let requests = RouteRate(
    "apps", strangers: Rate(burst: 10_000, perSecond: 1_000), known: Rate(burst: 10_000, perSecond: 1_000))

  // MARK: Webhooks
  /// Seconds after which a channel counts as left for webhooks, or a member as gone, unless it comes back.
  static let leftSeconds = 3.0
  /// Seconds for which a webhook is tried.
  static let webhookSeconds = 300.0
  /// Seconds before the second attempt, doubled before each further one; and the longest pause.
  static let firstPause = 1.0
  static let longestPause = 60.0
  /// Events of one post: a receiver is to answer within seconds.
  static let eventsOfPost = 100
  static let bytesOfPost = 64 << 10
  /// Bytes of events that wait for one webhook, some ten thousand; past it the oldest are dropped.
  static let waitingBytes = 2 << 20
  /// Bytes of events that wait for all webhooks.
  static let allWaitingBytes = 32 << 20
  /// Seconds for one post, and bytes of its answer that are read.
  static let postSeconds = 20.0
  static let answerBytes = 65_536
  /// Posts under way at once, to different receivers.
  static let posts = 16
}
