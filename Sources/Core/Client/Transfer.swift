import CCurl
import Glibc
import Wire

/// One exchange under way: libcurl's easy handle and what was received so far. Confined to its client's loop.
final class Transfer {
  let handle: UnsafeMutableRawPointer
  let ticket: Ticket
  private let request: FetchRequest
  private let userAgent: String
  private let addresses: AddressPolicy
  private var fieldList: UnsafeMutablePointer<curl_slist>?
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var fields: [(name: String, value: String)] = []
  private var fieldBytes = 0
  /// The codings that the head which comes just now has named, together with those of interim responses before it.
  private var codings = 0
  /// True once the head of the last response has come whole.
  private var hasHead = false
  private var body: [UInt8] = []
  /// The file that is sent, or -1; and the one that is written, with the bytes in it.
  private var source: Int32 = -1
  private var target: Int32 = -1
  private var saved = 0
  private var recipients: UnsafeMutablePointer<curl_slist>?
  /// Bytes of a mail or a file that libcurl has taken.
  private var sent = 0
  /// The last line with which a mail server has refused something for good.
  private var refusedWith = ""
  /// The reason when this client, not libcurl, ended the transfer.
  private var refusal: FetchError?
  /// The address that the policy refused, if it was the last one that libcurl tried.
  private var refusedAddress: IPAddress?
  private let done: (Result<FetchResponse, FetchError>) -> Void

  init(
    _ request: FetchRequest, _ ticket: Ticket, userAgent: String, addresses: AddressPolicy,
    done: @escaping (Result<FetchResponse, FetchError>) -> Void
  ) {
    guard let handle = curl_easy_init() else { preconditionFailure("libcurl cannot start a transfer") }
    self.handle = handle
    self.ticket = ticket
    self.request = request
    self.userAgent = userAgent
    self.addresses = addresses
    self.done = done
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(fieldList)
    curl_slist_free_all(recipients)
    message.deallocate()
    for file in [source, target] where file >= 0 { close(file) }
  }

  /// Sets all options of the handle.
  /// - Throws: when libcurl does not accept the address, or a field has characters that are not allowed.
  func prepare() throws(FetchError) {
    ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    ccurl_set_string(handle, CURLOPT_PROTOCOLS_STR, request.mail == nil ? "http,https" : "smtp,smtps")
    ccurl_set_string(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    // libcurl takes C strings: a zero byte would end the address early.
    guard !request.url.utf8.contains(where: { $0 <= 32 || $0 == 127 }) else {
      throw .address("it has spaces or control characters in it")
    }
    let code = ccurl_set_string(handle, CURLOPT_URL, request.url)
    guard code == CURLE_OK else { throw .address(String(cString: curl_easy_strerror(code))) }
    if let mail = request.mail {
      try prepare(mail)
      setLimits()
      return setCallbacks()
    }
    for line in try request.lines() { fieldList = curl_slist_append(fieldList, line) }
    // Without this, libcurl would wait up to a second for servers that know no "100 Continue".
    if request.bodyFile != nil { fieldList = curl_slist_append(fieldList, "Expect:") }
    ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, fieldList)
    ccurl_set_string(handle, CURLOPT_USERAGENT, userAgent)
    // The empty string means every coding that libcurl can undo.
    ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, "")
    setLimits()
    setMethod()
    try openFiles()
    setCallbacks()
  }

  private func prepare(_ mail: MailEnvelope) throws(FetchError) {
    if let user = mail.user {
      ccurl_set_string(handle, CURLOPT_USERNAME, user)
      ccurl_set_string(handle, CURLOPT_PASSWORD, mail.password ?? "")
      // Not GSSAPI, which libcurl would take first for a user with an "@": without a ticket it takes no other then.
      ccurl_set_string(handle, CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN;AUTH=CRAM-MD5;AUTH=DIGEST-MD5;AUTH=NTLM")
    }
    ccurl_set_long(handle, CURLOPT_USE_SSL, ccurl_use_ssl(mail.needsTLS))
    ccurl_set_long(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, ClientLimits.mailAnswerSeconds)
    // Mails are rare, and servers end idle connections.
    ccurl_set_long(handle, CURLOPT_FORBID_REUSE, 1)
    guard MailEnvelope.isAddress(mail.from), MailEnvelope.isAddress(mail.to ?? mail.from) else {
      throw .malformed("an address of the mail has characters that are not allowed there")
    }
    guard let to = mail.to else {
      ccurl_set_long(handle, CURLOPT_NOBODY, 1)
      ccurl_set_string(handle, CURLOPT_CUSTOMREQUEST, "MAIL FROM:<\(mail.from)>")
      return
    }
    ccurl_set_string(handle, CURLOPT_MAIL_FROM, mail.from)
    recipients = curl_slist_append(nil, to)
    ccurl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients)
    ccurl_set_long(handle, CURLOPT_UPLOAD, 1)
    ccurl_set_large(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body.count))
    ccurl_set_pointer(handle, CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
    ccurl_set_data_function(handle, CURLOPT_READFUNCTION) { buffer, size, count, context in
      Transfer.from(context).give(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }
  }

  /// Hands the next bytes of a mail to libcurl; 0 at its end.
  private func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, request.body.count - sent)
    request.body.withUnsafeBytes { body in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: body[sent..<sent + count]))
    }
    sent += count
    return count
  }

  private func openFiles() throws(FetchError) {
    if let path = request.bodyFile {
      source = open(path, O_RDONLY | O_CLOEXEC)
      var status = stat()
      guard source >= 0, fstat(source, &status) == 0 else { throw Self.failure("read") }
      ccurl_set_long(handle, CURLOPT_UPLOAD, 1)
      ccurl_set_large(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(status.st_size))
      ccurl_set_pointer(handle, CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
      ccurl_set_data_function(handle, CURLOPT_READFUNCTION) { buffer, size, count, context in
        Transfer.from(context).giveFile(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
      }
    }
    if let path = request.savesTo {
      target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard target >= 0 else { throw Self.failure("make") }
    }
  }

  private static func failure(_ what: String) -> FetchError {
    .malformed("cannot \(what) a file: \(String(cString: strerror(errno)))")
  }

  /// Hands the next bytes of a file to libcurl; 0 at its end.
  private func giveFile(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = pread(source, buffer.baseAddress, buffer.count, sent)
    guard count >= 0 else {
      refusal = Self.failure("read")
      return Int(CURL_READFUNC_ABORT)
    }
    sent += count
    return count
  }

  private func setLimits() {
    ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    if !request.checksCertificate {
      ccurl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 0)
      ccurl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 0)
    }
    // Without this, cancelling during a name lookup would block the loop until the lookup ends, which takes as long as
    // a name server does not answer. The thread of the lookup ends by itself.
    ccurl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
    // Without redirects, the response is the redirect itself.
    ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, request.redirects > 0 ? 1 : 0)
    ccurl_set_long(handle, CURLOPT_MAXREDIRS, request.redirects)
    ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(request.timeout * 1000))
    // libcurl counts a mail server's greeting and the sign-in as connecting.
    let greetingSeconds = request.mail == nil ? 0 : Double(ClientLimits.mailAnswerSeconds)
    ccurl_set_long(
      handle, CURLOPT_CONNECTTIMEOUT_MS, Int((ClientLimits.connectSeconds + greetingSeconds) * 1000))
    ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, ClientLimits.stallBytesPerSecond)
    ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(request.stallTimeout)))
    // No proxy, whatever the environment says: behind one, no address could be checked.
    ccurl_set_string(handle, CURLOPT_PROXY, "")
  }

  private func setMethod() {
    switch request.method {
    case "GET" where request.body.isEmpty: return
    // With CUSTOMREQUEST alone, libcurl would wait for the body of a HEAD.
    case "HEAD": ccurl_set_long(handle, CURLOPT_NOBODY, 1)
    case "POST": ccurl_set_long(handle, CURLOPT_POST, 1)
    default: ccurl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
    }
    guard !request.body.isEmpty else {
      // Without this, libcurl would read a POST's body from standard input.
      if request.method == "POST" { ccurl_set_string(handle, CURLOPT_COPYPOSTFIELDS, "") }
      return
    }
    ccurl_set_large(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
    request.body.withUnsafeBytes {
      _ = ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
    }
  }

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
    ccurl_set_open_socket_function(handle) { context, _, address in
      Transfer.from(context).openSocket(address!)
    }
    ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    ccurl_set_data_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      Transfer.from(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    ccurl_set_data_function(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      Transfer.from(context).takeField(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
  }

  static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
  }

  /// Opens the socket for one numeric address, just before libcurl connects it. Every connection passes here, whatever
  /// a redirect, DNS or an unusual spelling has made of the address.
  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let (family, start) = (address.pointee.family, ccurl_address_bytes(address))
    let size = family == AF_INET ? 4 : family == AF_INET6 ? 16 : 0
    guard let ip = IPAddress(bytes: UnsafeRawBufferPointer(start: start, count: size)), addresses.allows(ip) else {
      refusedAddress = IPAddress(bytes: UnsafeRawBufferPointer(start: start, count: size))
      return ccurl_socket_bad()
    }
    refusedAddress = nil
    let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, type, address.pointee.protocol)
    // A stream that ran out of time is no sign for libcurl that the connection, which several share, is dead: after a
    // change of the line's address it would use it on until the system gives it up, a quarter of an hour later.
    var most = Int32(ClientLimits.unacknowledgedSeconds * 1000)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &most, socklen_t(MemoryLayout<Int32>.size))
    return descriptor
  }

  /// Takes a part of the body; returning fewer bytes than came makes libcurl end the transfer.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    if body.count + saved + bytes.count > request.bodyLimit {
      refusal = .tooLarge(limit: request.bodyLimit)
      return 0
    }
    if target >= 0, isSuccess { return save(bytes) }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  /// The status of the response that came last, or whose head is coming.
  private var status: Int {
    var status = 0
    ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    return status
  }

  private var isSuccess: Bool { (200..<300).contains(status) }

  private func save(_ bytes: UnsafeRawBufferPointer) -> Int {
    var rest = bytes
    while !rest.isEmpty {
      let count = write(target, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        refusal = Self.failure("write")
        return 0
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    saved += bytes.count
    return bytes.count
  }

  private func takeField(_ bytes: UnsafeRawBufferPointer) -> Int {
    fieldBytes += bytes.count
    if fieldBytes > ClientLimits.headerBytes {
      refusal = .tooManyFields
      return 0
    }
    codings += Self.codings(in: bytes)
    // libcurl unpacks up to five codings one inside the other within one call: a few KB may then stand for hours in
    // which the loop does nothing else, and for no byte of the body.
    guard codings <= 1 else {
      refusal = .transfer(.broken, words: "it is packed more than once")
      return 0
    }
    let line = String(decoding: bytes, as: UTF8.self)
    if request.mail != nil, line.hasPrefix("5") { refusedWith = line }
    if line == "\r\n" || line == "\n" {
      if status >= 200 { (codings, hasHead) = (0, true) }
    } else if line.hasPrefix("HTTP/") {
      // A redirect or an interim response is over; the next one begins.
      fields = []
      body = []
      hasHead = false
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      fields.append((String(line[..<colon]), String(value.prefix { !$0.isNewline })))
    }
    return bytes.count
  }

  /// The number of codings that a line of a head names, read by bytes as libcurl does: in a `String`, a mark behind a
  /// comma would hide it.
  private static func codings(in line: UnsafeRawBufferPointer) -> Int {
    let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    guard parts.count == 2,
      ["content-encoding", "transfer-encoding"].contains(String(decoding: parts[0], as: UTF8.self).lowercased())
    else { return 0 }
    let names = parts[1].split(separator: UInt8(ascii: ",")).map { name in
      String(decoding: name.filter { $0 > 32 }, as: UTF8.self).lowercased()
    }
    // These two pack nothing.
    return names.filter { !["", "chunked", "identity"].contains($0) }.count
  }

  func finish(_ code: CURLcode) {
    if code == CURLE_OK || request.countsStatusAlone && hasHead {
      let isUnchanged = status == 304 && !request.validators.isEmpty
      done(.success(FetchResponse(status: status, fields: fields, body: body, isUnchanged: isUnchanged)))
    } else if let refusal {
      fail(refusal)
    } else if request.mail != nil, let status = refusedStatus {
      // Before its text, libcurl's words alone tell which command was refused.
      let told = words(for: code)
      // With 5.4.5 Gmail says behind the text that the sender has sent enough for a day.
      let isOfText = (sent > 0 || told.hasPrefix("DATA")) && enhancedStatus != "5.4.5"
      let refusesMail = isOfText || told.hasPrefix("RCPT") && !isOfEveryMail
      done(.success(FetchResponse(status: status, fields: [], body: [], refusesMail: refusesMail)))
    } else if code == CURLE_OPERATION_TIMEDOUT {
      fail(timeoutError())
    } else if code == CURLE_COULDNT_CONNECT, let refusedAddress {
      fail(.refusedAddress(refusedAddress))
    } else {
      fail(Self.error(code, words(for: code)))
    }
  }

  /// The status with which a mail server has refused a mail; libcurl has many codes for that.
  private var refusedStatus: Int? {
    let status = self.status
    return (400..<600).contains(status) ? status : nil
  }

  /// True if the enhanced status (RFC 3463) behind a recipient tells of the sender or of a rule for the hub: Postfix
  /// says both only there. One of a rule for the recipient looks the same, and is tried again with them.
  private var isOfEveryMail: Bool {
    enhancedStatus.hasPrefix("5.7.") || ["5.1.0", "5.1.7", "5.1.8", "5.4.5"].contains(enhancedStatus)
  }

  /// The enhanced status of the last refusal; empty without one.
  private var enhancedStatus: Substring {
    refusedWith.split(maxSplits: 2) { $0 == " " || $0 == "-" }.dropFirst().first ?? ""
  }

  func fail(_ error: FetchError) { done(.failure(error)) }

  /// The error for libcurl's one timeout code, which all its limits share.
  private func timeoutError() -> FetchError {
    var (total, connected) = (0.0, 0.0)
    ccurl_get_double(handle, CURLINFO_TOTAL_TIME, &total)
    ccurl_get_double(
      handle, request.mail == nil ? CURLINFO_PRETRANSFER_TIME : CURLINFO_CONNECT_TIME, &connected)
    if total >= request.timeout { return .timeout(seconds: request.timeout) }
    guard connected > 0 else { return .transfer(.unreachable, words: words(for: CURLE_OPERATION_TIMEDOUT)) }
    return .stalled(seconds: request.mail == nil ? request.stallTimeout : Double(ClientLimits.mailAnswerSeconds))
  }

  private func words(for code: CURLcode) -> String {
    message[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: message)
  }

  private static func error(_ code: CURLcode, _ words: String) -> FetchError {
    switch code {
    // So libcurl names a server that speaks no HTTP, such as one of https:// that is asked as http://.
    case CURLE_UNSUPPORTED_PROTOCOL where words.contains("HTTP/0.9"): .transfer(.broken, words: words)
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .address(words)
    case CURLE_COULDNT_RESOLVE_HOST: .transfer(.unknownHost, words: words)
    case CURLE_COULDNT_CONNECT: .transfer(.unreachable, words: words)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
      .transfer(.insecure, words: words)
    case CURLE_TOO_MANY_REDIRECTS: .transfer(.redirects, words: words)
    default: .transfer(.broken, words: words)
    }
  }
}
