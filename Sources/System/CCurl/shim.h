#pragma once
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdbool.h>

/// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic: one function for each type of value.
static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_large(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
typedef size_t (*ccurl_data_function)(char *, size_t, size_t, void *);
static inline CURLcode ccurl_set_data_function(CURL *handle, CURLoption option, ccurl_data_function function) {
  return curl_easy_setopt(handle, option, function);
}
static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode ccurl_get_double(CURL *handle, CURLINFO info, double *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode ccurl_set_open_socket_function(CURL *handle, curl_opensocket_callback function) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}
static inline CURLMcode ccurl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode ccurl_multi_set_socket_function(CURLM *multi, curl_socket_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}
static inline CURLMcode ccurl_multi_set_timer_function(CURLM *multi, curl_multi_timer_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}
/// The 4 or 16 bytes of an address in network order, by its family; libcurl's `addr` is longer than its declared type.
static inline const void *ccurl_address_bytes(const struct curl_sockaddr *address) {
  const void *start = &address->addr;
  return address->family == AF_INET6 ? (const void *)&((const struct sockaddr_in6 *)start)->sin6_addr
                                     : (const void *)&((const struct sockaddr_in *)start)->sin_addr;
}
/// What CURLOPT_USE_SSL takes. Its values are cases of an enum in Debian 12's libcurl (7.88) and numbers in that of
/// Debian 13 (8.14), which Swift imports as different types.
static inline long ccurl_use_ssl(bool is_needed) { return is_needed ? CURLUSESSL_ALL : CURLUSESSL_TRY; }
/// CURL_SOCKET_BAD and CURL_SOCKET_TIMEOUT are casts.
static inline curl_socket_t ccurl_socket_bad(void) { return CURL_SOCKET_BAD; }
static inline curl_socket_t ccurl_socket_timeout(void) { return CURL_SOCKET_TIMEOUT; }
/// The result of a finished transfer, from `curl_multi_info_read`; Swift does not import the union.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }
