// Finds the codes by which network errors are distinguished. Independent of the HTTP client.

import { causesOf } from '../util/thrown';

/** The code of the innermost cause that has one; undefined when none has. */
export function findErrorCode(error: unknown): string | undefined {
  let found: string | undefined;
  for (const cause of causesOf(error)) {
    const { code, errors } = cause as Error & { code?: unknown; errors?: unknown[] };
    if (typeof code === 'string') found = code;
    // Connecting to a name with two addresses fails with an AggregateError.
    else if (Array.isArray(errors)) found = findErrorCode(errors[0]) ?? found;
  }
  return found;
}

/** Codes of the TLS library for a certificate that is not trusted. */
const CERTIFICATE =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)_|CERT_|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)/;

export const isCertificateCode = (code: string | undefined): boolean => CERTIFICATE.test(code ?? '');

/** Our own code for a connection that is open but whose TLS handshake gets no answer. */
export const TLS_TIMEOUT_CODE = 'ERR_TLS_HANDSHAKE_TIMEOUT';
