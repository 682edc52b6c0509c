// Finds the codes by which network errors are distinguished. Independent of the HTTP client.

import { causesOf } from '../../util/thrown';

/** The code of the innermost cause that has one; undefined when none has. */
export function findErrorCode(error: unknown): string | undefined {
  let found: string | undefined;
  for (const cause of causesOf(error)) {
    const { code, errors } = cause as Error & { code?: unknown; errors?: unknown[] };
    // Connecting to a name with several addresses fails with an AggregateError, whose code is that of the first address.
    if (Array.isArray(errors)) found = mostTelling(errors.map(findErrorCode)) ?? found;
    else if (typeof code === 'string') found = code;
  }
  return found;
}

/** An address that cannot be reached says less than one that answers, such as an IPv6 address in a network without IPv6. */
const UNREACHABLE = new Set(['ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);

function mostTelling(codes: readonly (string | undefined)[]): string | undefined {
  const known = codes.filter((code) => code !== undefined);
  return known.find((code) => !UNREACHABLE.has(code)) ?? known[0];
}

/** Codes of the TLS library for a certificate that is not trusted. */
const CERTIFICATE =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)_|CERT_|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)/;

export const isCertificateCode = (code: string | undefined): boolean => CERTIFICATE.test(code ?? '');

/** Our own code for a connection that is open but whose TLS handshake gets no answer. */
export const TLS_TIMEOUT_CODE = 'ERR_TLS_HANDSHAKE_TIMEOUT';
