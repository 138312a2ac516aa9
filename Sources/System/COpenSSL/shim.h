#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

/// Macros made of macros, which Swift does not import: the parts of a key that are handed over.
enum { copenssl_public_half = EVP_PKEY_PUBLIC_KEY, copenssl_both_halves = EVP_PKEY_KEYPAIR };

/// Pushes a key's parameters. The names are macros, and the parameters keep pointing to them, so temporary copies by
/// Swift would not do.
static inline int copenssl_push_p256(OSSL_PARAM_BLD *builder, const unsigned char *point, size_t size,
                                     const BIGNUM *number) {
  return OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, SN_X9_62_prime256v1, 0) == 1 &&
         OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, size) == 1 &&
         (number == NULL || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1);
}

/// Chooses among a client's ALPN offers: HTTP/2, else HTTP/1.1, else none.
static inline int copenssl_select_protocol(SSL *session, const unsigned char **chosen, unsigned char *length,
                                           const unsigned char *offered, unsigned int count, void *context) {
  static const unsigned char ours[] = "\x02h2\x08http/1.1";
  (void)session;
  (void)context;
  int found = SSL_select_next_proto((unsigned char **)chosen, length, ours, sizeof ours - 1, offered, count);
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

/// Sets a server's options, several of which are macros that Swift does not import. Buffers are released when a
/// connection is idle.
///
/// TLS 1.2 is limited to the recommendations of RFC 9325 section 4.2: key exchanges with forward secrecy (no static
/// RSA), and authenticated encryption (no CBC).
static inline int copenssl_configure_server(SSL_CTX *context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                   SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context, copenssl_select_protocol, NULL);
  return SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
}

/// Sets a client's options, several of which are macros that Swift does not import: the same protocols and ciphers, and
/// no connection without a valid certificate.
static inline int copenssl_configure_client(SSL_CTX *context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  return SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
}

/// Names the host to the server, which may have certificates of several (SNI, RFC 6066 section 3).
static inline int copenssl_name_host(SSL *session, const char *host) {
  return (int)SSL_set_tlsext_host_name(session, host);
}

static inline int copenssl_chose_http2(const SSL *session) {
  const unsigned char *name;
  unsigned int length;
  SSL_get0_alpn_selected(session, &name, &length);
  return length == 2 && memcmp(name, "h2", 2) == 0;
}

/// Asks clients for a certificate and takes the connection whatever they send: the protocol above answers what is wrong
/// with it, which a failed handshake could not. OpenSSL keeps the result of its check (SSL_get_verify_result).
static inline int copenssl_take_any(int is_valid, X509_STORE_CTX *context) {
  (void)is_valid;
  (void)context;
  return 1;
}
static inline int copenssl_ask_for_certificates(SSL_CTX *context, const char *authority) {
  static const unsigned char name[] = "eightbells";
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, copenssl_take_any);
  SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(authority));
  return SSL_CTX_load_verify_locations(context, authority, NULL) == 1 &&
         SSL_CTX_set_session_id_context(context, name, sizeof name - 1) == 1;
}

/// Adds an extension that is written as in OpenSSL's configuration files (x509v3_config(5)).
static inline int copenssl_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  int is_added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return is_added;
}

/// The names that a certificate is for, NULL if it has none; to be freed. OpenSSL's stacks are macros.
static inline GENERAL_NAMES *copenssl_alternative_names(const X509 *certificate) {
  return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}
static inline int copenssl_name_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
/// One of these names with its length: a host name, or the 4 or 16 bytes of an address; NULL for anything else.
static inline const unsigned char *copenssl_alternative_name(const GENERAL_NAMES *names, int index, int *length,
                                                             int *is_address) {
  const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  *is_address = name->type == GEN_IPADD;
  if (name->type != GEN_DNS && name->type != GEN_IPADD) return NULL;
  const ASN1_STRING *text = *is_address ? name->d.iPAddress : name->d.dNSName;
  *length = ASN1_STRING_length(text);
  return ASN1_STRING_get0_data(text);
}

/// Adds a certificate that vouches for the one that a side shows; it is kept by the context, too.
static inline int copenssl_add_chain(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

/// OpenSSL's stacks of certificates, which are macros.
static inline int copenssl_certificate_count(const STACK_OF(X509) *all) { return all == NULL ? 0 : sk_X509_num(all); }
static inline X509 *copenssl_certificate_at(const STACK_OF(X509) *all, int index) { return sk_X509_value(all, index); }
static inline void copenssl_free_certificates(STACK_OF(X509) *all) { sk_X509_pop_free(all, X509_free); }
