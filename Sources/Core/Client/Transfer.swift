import CCurl

/// One exchange under way: libcurl's easy handle and what has come so far. Confined to its client's loop.
final class Transfer {
  let handle: UnsafeMutableRawPointer
  private let request: FetchRequest
  private let userAgent: String
  private var fieldList: UnsafeMutablePointer<curl_slist>?
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var fields: [(name: String, value: String)] = []
  private var fieldBytes = 0
  private var body: [UInt8] = []
  /// Why we gave up ourselves.
  private var refusal: FetchError?
  private let done: (Result<FetchResponse, FetchError>) -> Void

  init(
    _ request: FetchRequest, userAgent: String, done: @escaping (Result<FetchResponse, FetchError>) -> Void
  ) {
    guard let handle = curl_easy_init() else { preconditionFailure("libcurl cannot start a transfer") }
    self.handle = handle
    self.request = request
    self.userAgent = userAgent
    self.done = done
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(fieldList)
    message.deallocate()
  }

  /// Sets all options.
  /// - Throws: when libcurl does not take the address.
  func prepare() throws(FetchError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    ccurl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    ccurl_set_string(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    let code = ccurl_set_string(handle, CURLOPT_URL, request.url)
    guard code == CURLE_OK else { throw .address(String(cString: curl_easy_strerror(code))) }
    ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 1)
    ccurl_set_long(handle, CURLOPT_MAXREDIRS, ClientLimits.redirects)
    ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(request.timeout * 1000))
    ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(ClientLimits.connectSeconds * 1000))
    ccurl_set_string(handle, CURLOPT_USERAGENT, userAgent)
    // An empty string stands for every coding that libcurl can undo.
    ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, "")
    for (name, value) in request.fields { fieldList = curl_slist_append(fieldList, "\(name): \(value)") }
    ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, fieldList)
    ccurl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
    if !request.body.isEmpty {
      ccurl_set_large(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
      request.body.withUnsafeBytes {
        _ = ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
      }
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

  /// Fewer bytes than came make libcurl give up.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    if body.count + bytes.count > request.bodyLimit {
      refusal = .tooLarge(limit: request.bodyLimit)
      return 0
    }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  private func takeField(_ bytes: UnsafeRawBufferPointer) -> Int {
    fieldBytes += bytes.count
    if fieldBytes > ClientLimits.headerBytes {
      refusal = .tooManyFields
      return 0
    }
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // A redirect or an interim answer is over; the next one begins.
      fields = []
      body = []
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      fields.append((String(line[..<colon]), String(value.prefix { !$0.isNewline })))
    }
    return bytes.count
  }

  func finish(_ code: CURLcode) {
    if code == CURLE_OK {
      var status = 0
      ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
      done(.success(FetchResponse(status: status, fields: fields, body: body)))
    } else if let refusal {
      done(.failure(refusal))
    } else if code == CURLE_OPERATION_TIMEDOUT {
      done(.failure(.timeout(seconds: request.timeout)))
    } else {
      let words = message[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: message)
      done(.failure(Self.error(code, words)))
    }
  }

  private static func error(_ code: CURLcode, _ words: String) -> FetchError {
    switch code {
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
