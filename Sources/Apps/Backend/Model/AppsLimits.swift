import Hub
import Server
import Store

/// The limits of this room, each with its reason.
enum AppsLimits {
  /// Apps of a hub. All of them are in memory, a kilobyte each.
  static let apps = 2_000
  /// Seconds for which an old secret counts after another was made, so that servers can be changed one by one.
  static let oldSecretSeconds = 86_400.0
  /// Secrets that count at a time: each request may be compared with all of them.
  static let secrets = 4
  /// Unknown keys that are remembered, so that asking for them again does not ask the store.
  static let unknownKeys = 1_000

  /// Bytes of randomness in a key, which is no secret, and in a secret.
  static let keyBytes = 10
  static let secretBytes = 20
  /// The numbers of apps. They are drawn from so many that the number of a removed app does not come again.
  static let ids = 100_000_000...9_999_999_999

  // MARK: Options

  /// Events that a channel keeps for those who come back, and for how many seconds.
  static let historyCount = 0...1_000
  static let historySeconds = 0...3_600
  /// Connections, and messages of a day; 0 sets no limit.
  static let connections = 0...1_000_000
  static let messages = 0...1_000_000_000
  static let webhooks = 5
  /// Bytes of a webhook's address.
  static let address = 2_000

  // MARK: What an app keeps

  /// Objects of an app, and their bytes, where its owner sets no limit: as many as queries were measured with, tenfold,
  /// and a small disk's share.
  static let objects = 10_000_000
  static let objectBytes = 8 * 1_073_741_824
  /// Limits that an owner may set; 0 takes those of all apps.
  static let ownObjects = 0...1_000_000_000
  static let ownMegabytes = 0...1_000_000
  static let megabyte = 1_048_576

  // MARK: Usage

  /// Seconds between two moments at which counts are written: as much is lost by a power failure.
  static let writeSeconds = 60.0
  /// Days for which the hours of an app are kept.
  static let usageDays = 35
  /// Rows that are removed in one transaction.
  static let removedPerCommit = 2_000
  /// Objects that are removed in one transaction: each may stand on pages of its own, as may its keys in each index.
  static let objectsPerCommit = 200

  // MARK: Users of apps

  /// Threads that hash passwords, and those that may wait for them, in all and of one address.
  static let passwordsOfAddress = 16
  static let passwordWork = PasswordWork.Limits(threads: 2, waiting: 64, ofAddress: passwordsOfAddress)
  /// Sign-ins with one name from one network: a stranger guesses no faster, and keeps nobody else out.
  static let signIns = Rate(burst: 20, perSecond: 0.2)
  /// Those with one name from anywhere: as many as five networks make, so that many guess slowly, too.
  static let signInsOfName = Rate(burst: 1_000, perSecond: 1)
  /// Names whose sign-ins are counted at a time.
  static let signInNames = 10_000
  /// Bytes of a password, a user's name and an address.
  static let passwordBytes = 1_000
  static let userNameBytes = 500
  static let userAddressBytes = 254
  /// Seconds for which a session counts: a year. Of a user's sessions beyond these, the oldest end.
  static let sessionSeconds = 365 * 86_400
  static let sessionsOfUser = 100
  /// Bytes of a role's name.
  static let roleName = 100
  /// Installations with one token that are looked at.
  static let sameInstallations = 20
  /// Seconds for which the links in mails are good.
  static let newPasswordSeconds = 86_400.0
  static let verifySeconds = 7 * 86_400.0
  /// Mails to one address, and of one app; addresses that are counted at a time.
  static let mailsToAddress = Rate(burst: 3, perSecond: 1.0 / 1_200)
  static let mailsOfApp = Rate(burst: 60, perSecond: 1.0 / 30)
  static let mailAddresses = 10_000
  /// An app's mails that wait for the mail server, and the seconds for which it is asked to take one.
  static let mailsWaiting = 100
  static let mailGiveUpSeconds = 6 * 3_600.0

  // MARK: Files of apps

  /// Bytes of a file, and of an app's files together; the number of these.
  static let fileBytes = 20 * 1_048_576
  static let filesBytes = 4 * 1_073_741_824
  static let files = 100_000
  /// Bytes of what comes beside the file where it is sent as JSON, and of that JSON.
  static let fileDetailBytes = 65_536
  static let fileRequestBytes = fileBytes / 3 * 4 + 4 + fileDetailBytes
  /// Files within JSON that may arrive at a time, since it is known last whose they are; and those from one address.
  static let filesEmbedded = 16
  static let filesEmbeddedEach = 4
  /// Files sent by one address.
  static let fileUploads = RouteRate(
    "files of apps", strangers: Rate(burst: 500, perSecond: 20), known: Rate(burst: 500, perSecond: 20))
  /// Bytes that files leave free on the disk of the records and on theirs: a full one refuses every change of the hub.
  static let freeBytes = 256 << 20
  /// Characters of a file's name.
  static let fileName = 128
  /// Seconds for which a file is kept that no object points to, or not yet.
  static let fileGraceSeconds = 86_400.0
  /// Seconds between two looks for such files, and those that are removed in one transaction.
  static let fileSweepSeconds = 3_600.0
  static let filesPerCommit = 500
  /// Seconds between two looks for what is left of removed fields and indexes.
  static let indexLookSeconds = 600.0

  // MARK: Config of apps

  /// Parameters, and bytes of all together.
  static let configParameters = 100
  static let configBytes = 65_536

  // MARK: The page

  /// Seconds for which somebody watches after they have said so. The page says it again in time.
  static let watchSeconds = 60.0
  /// Apps whose events are watched at a time.
  static let watched = 20
  /// Seconds in which events are collected before they are shown together, and the most of them; what is beyond is
  /// counted.
  static let consoleSeconds = 0.25
  static let consoleEntries = 100
  /// Bytes of an event's data that are shown.
  static let consoleData = 2_000
  /// Channels in a list, those of them whose members are shown, and members of each.
  static let channels = 500
  static let presenceShown = 50
  static let members = 100

  // MARK: Objects

  /// Networks from which an app's master key is taken.
  static let networks = 20
  /// Classes of an app, and of all apps those that stay in memory, some kilobytes each.
  static let classes = 500
  static let cachedClasses = 2_000
  /// Objects of all apps that stay in memory after they were read, and the bytes that one of them may have: 10 MB at
  /// most.
  static let recentObjects = 4_000
  static let recentBytes = 2_000
  /// Seconds for which a request's id is remembered.
  static let requestSeconds = 300.0
  /// Requests that wait until one with the same id is done: Parse's library for JavaScript tries five times in all.
  static let repetitionsWaiting = 4
  /// Bytes of a request's id, of a session's token, and of an installation's id.
  static let headerBytes = 200
  /// Bytes of a request: a batch of twenty objects with some lists in each.
  static let requestBytes = 4 << 20
  /// Values of a request as JSON.
  static let requestValues = 200_000
  /// Requests of one batch. Parse's libraries send 20 at a time, which are one commit.
  static let batch = 200
  /// Objects by which a change of relations, or all of a batch, makes them more or fewer: each is a row, and some ten
  /// milliseconds are what others wait for one commit. Bytes that each counts beside its field's name and its id: a row
  /// and its place in two indexes.
  static let relationPointers = 1_000
  static let relationBytes = 64
  /// Bytes of the objects that a batch changes or removes: each is read and written whole, a megabyte in some ten
  /// milliseconds, for which all writers wait.
  static let changedBytes = 32 << 20
  /// Names with a dot in a batch that is one commit: each copies what it reaches into, which may be a megabyte.
  static let dottedNames = 1_000
  /// The time that a request's queries may take to go through classes: a million objects are several seconds.
  static let scanSeconds = 10.0
  /// The time that a brief reading may take and the bytes of an object that it reads, since all lookups of the hub wait
  /// for it; the readings of an app that go to a reader at once after one that took longer.
  static let briefSeconds = 0.0005
  static let briefBytes = 16 << 10
  static let notBriefly = 20
  /// Brief readings of one app at a time, half of what one transaction of lookups takes: others' have room in each.
  static let brieflyAtOnce = 128
  /// Requests of one app that read at a time, half of the store's readers, and those that wait: a crowd's, whose quick
  /// queries are a matter of milliseconds.
  static let reads = StoreLimits.readers / 2
  static let readsWaiting = 1_000
  /// Requests of an app in a second where its owner sets no limit, more than a hub does on a small machine; after a
  /// rest two seconds' at once. Those that write at a time, half of what one transaction takes, and those that wait:
  /// others' writes have room in each.
  static let requests = 100_000
  static let ownRequests = 0...100_000
  static let requestSecondsAtOnce = 2.0
  static let writes = StoreLimits.writesPerCommit / 2
  static let writesWaiting = 2_000
  /// Objects that an index takes in at a time, while others write: some ten milliseconds.
  static let indexedPerCommit = 2_000
  /// Bytes of objects that are read together where all of a class are gone through or removed: they are a multiple of
  /// that in memory.
  static let bytesPerCommit = 4 << 20
  /// Queries without an index of a field before it gets one, objects that such a query went through, and indexes of a
  /// class: each costs its share of every write. Fields that are counted at a time.
  static let indexAfter = 3
  static let indexFrom = 2_000
  static let indexes = 10
  static let advised = 10_000
  /// Objects that an index finds and that are read one by one rather than gone through in another order.
  static let fewObjects = 5_000
  /// Objects that a class may have when it gets a unique rule: they are compared in one commit, for which all wait.
  static let uniqueAfterwards = 10_000
  /// Conditions of a query that the database looks at; the others are looked at afterwards.
  static let narrowings = 50
  /// Objects that a query may skip where all have to be sorted.
  static let sorted = 100_000
  /// Bytes of an answer's objects as they are kept, and objects that come with them by `include`.
  static let answerBytes = 16 << 20
  static let included = 10_000
  static let idsAtOnce = 200
  /// Levels of roles within roles, and roles of a user with those that these belong to.
  static let roleLevels = 10
  static let roles = 200
  /// The rate of one address. The users of an app may stand behind one, or its server, which writes ten thousand
  /// objects a second.
  static let parse = RouteRate(
    "objects", strangers: Rate(burst: 50_000, perSecond: 20_000), known: Rate(burst: 50_000, perSecond: 20_000))
}

extension AppsLimits {
  // MARK: Live queries

  /// Subscriptions of an app, and the bytes that their queries take in memory: most take some hundred, and one with a
  /// list of thousands of ids, or with large patterns, a thousand times as many.
  static let subscriptions = 50_000
  static let subscriptionBytes = 64 << 20
  /// Those of a class that ask for no equal value: each is looked at with each change of the class.
  static let lookedAtAlways = 1_000
  /// Seconds in which a connection has to say who it is.
  static let connectSeconds = 30.0
  /// Live connections of all apps together: most are for the hub's pages and for channels.
  static let liveConnections = ServerLimits.connections / 2
  /// Bytes of a client's messages that wait while one is being checked: those of a page that is back come at once.
  static let waitingBytes = 256 << 10
  /// Seconds between two looks at which hubs have live queries no more.
  static let liveSweepSeconds = 60.0
  /// Messages of a live connection.
  static let liveMessages = Rate(burst: 400, perSecond: 20)
  /// Changes of objects that an app's task takes at once, and the seconds after which another app has its turn.
  static let changesAtOnce = 64
  static let turnSeconds = 0.02
  /// Bytes of a changed object, as several subscribers see it alike, that are kept while it is told: each may want
  /// other fields of it.
  static let writtenBytes = 8 << 20
  /// Changes of objects that wait to be told, and their bytes, give or take some. Past them the connections of the app
  /// of which most waits are closed, so that its clients come back and ask anew.
  static let waitingChanges = 10_000
  static let waitingChangeBytes = 32 << 20

  // MARK: Webhooks of objects, and rings

  /// Functions and triggers of an app.
  static let hooks = 200
  /// Bytes of a function's name.
  static let functionBytes = 128
  /// Seconds in which a webhook has to answer: whoever saves an object waits so long.
  static let hookSeconds = 10.0
  /// Bytes of its answer.
  static let hookAnswerBytes = 1 << 20
  /// Calls under way for one app, and for all.
  static let hookCalls = 32
  static let allHookCalls = 128
  /// Of these, calls after changes: who waits for an answer goes first.
  static let afterCallsOfApp = 16
  static let afterCalls = 64
  /// Seconds between two attempts at first and at most, and for which a call is tried: a server is mended within a day.
  static let firstPause = 1.0
  static let longestPause = 300.0
  static let hookGiveUpSeconds = 86_400.0
  /// Seconds after which the doctor speaks of a call that waits.
  static let hookLateSeconds = 600.0
  /// An app's calls after changes that wait, and their bytes on the disk; past it the newest are dropped, and the app's
  /// console says so.
  static let hooksWaiting = 1_000
  static let hookBytesWaiting = 32 << 20
  /// Rings of a class.
  static let ringsOfClass = 10
  /// Notifications that an app's objects may ring.
  static let rings = Rate(burst: 60, perSecond: 1)
  /// Characters of a user's name that the members of a presence channel see.
  static let memberName = 100
}
