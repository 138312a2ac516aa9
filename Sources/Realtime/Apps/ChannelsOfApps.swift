/// The interface for the room that keeps the apps. All of it may be called on any thread.
extension Channels {
  /// Starts serving other apps than the hub's own. To be called once, before the hub serves.
  public func open(_ directory: AppDirectory) { apps.open(directory) }

  /// Takes over an app's credentials and options, new ones or those of an app that was just found; ends the connections
  /// that may not stay. A history is kept from then on.
  public func changed(_ app: RealtimeApp) { _ = apps.serve(app) }

  /// Ends all connections of an app that was deleted, and forgets what was kept for it. Its id must not be given to
  /// another.
  public func removed(app id: String) { apps.remove(id) }

  /// Starts or ends the entries of an app's debug console.
  public func watchConsole(_ app: String, _ isWatched: Bool) { apps.channels(of: app)?.watch(isWatched) }

  /// Sends an event to all listeners of each channel, in the order of the calls.
  /// - Parameters:
  ///   - data: the text that clients get as it is.
  ///   - app: the app's id.
  ///   - socketID: a connection that does not get the event.
  ///   - commit: the number of the change that the event reports.
  public func trigger(
    _ event: String, data: String, on channels: [String], of app: String, except socketID: String? = nil,
    commit: Int? = nil
  ) {
    apps.channels(of: app)?.trigger(event, data: data, on: channels, except: socketID, commit: commit)
  }

  /// The channels with subscribers whose names begin so, in the order of their names; channels of single users are left
  /// out.
  public func occupied(in app: String, prefix: String = "") -> [ChannelSummary] {
    apps[app]?.occupied(prefix: prefix) ?? []
  }

  public func summary(of channel: String, in app: String) -> ChannelSummary {
    apps[app]?.summary(of: channel)
      ?? ChannelSummary(name: channel, subscriptions: 0, users: ChannelName(channel).isPresence ? 0 : nil)
  }

  /// The ids of a presence channel's members.
  public func users(of channel: String, in app: String) -> [String] { apps[app]?.users(of: channel) ?? [] }

  /// Ends all connections that are signed in as that user.
  public func terminate(user: String, in app: String) { apps[app]?.terminate(user: user) }

  /// Ends what the users of an app hear of with sessions for which the hub has signed.
  /// - Parameter sessions: those that have ended; nil if that is not known.
  public func end(sessions: Set<String>?, of app: String) { apps[app]?.end(sessions) }

  public func connections(of app: String) -> Int { apps[app]?.connections ?? 0 }
}
