const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset before the answer was complete',
  EPIPE: 'the connection was closed while the request was sent',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the body is not as long as its Content-Length says',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  ETIMEDOUT: 'no connection came about in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EADDRNOTAVAIL: 'the address cannot be reached from here',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved for now',
  EPROTO: 'the TLS handshake failed',
  // undici 8 knows which of the two it was only in the message, which may quote the answer.
  HTTPParserError: 'the answer is not valid HTTP, or ended before its last chunk',
};

/** Codes of OpenSSL's verification and of Node's host name check (node:tls, "X509 certificate error codes"). */
const CERTIFICATE =
  /CERT|^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_)/;

/**
 * Why an exchange failed, in words, with the error's code (or its name, where it has none). Its own message is left
 * out: it is written by others, and could repeat what was sent.
 */
export function failureInWords(error: unknown): string {
  const code = codeOf(error) ?? (error instanceof Error ? error.name : typeof error);
  return `${wordsFor(code)} (${code})`;
}

function wordsFor(code: string): string {
  const words = WORDS[code];
  if (words !== undefined) return words;
  if (CERTIFICATE.test(code)) return 'the TLS certificate was not accepted';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'the TLS handshake failed';
  return 'the exchange failed';
}

/** Several addresses tried in vain give an AggregateError, whose code may be only on its members. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}
