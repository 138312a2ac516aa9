import CCurl

/// A domain as the domain name system knows it, with letters beyond ASCII in Punycode (IDNA, RFC 5891): for
/// "müller.example", "xn--mller-kva.example". Nil where none is meant.
public func asciiDomain(_ name: String) -> String? {
  if name.utf8.allSatisfy({ $0 < 128 }) { return name }
  Transfers.readUTF8()
  // libcurl would read on behind a percent sign, and no further than a zero byte.
  guard name.utf8.allSatisfy({ $0 > 32 && $0 != UInt8(ascii: "%") }), let url = curl_url() else { return nil }
  defer { curl_url_cleanup(url) }
  var found: UnsafeMutablePointer<CChar>?
  guard curl_url_set(url, CURLUPART_HOST, name, 0) == CURLUE_OK,
    curl_url_get(url, CURLUPART_HOST, &found, UInt32(CURLU_PUNYCODE)) == CURLUE_OK, let found
  else { return nil }
  defer { curl_free(found) }
  return String(cString: found)
}
