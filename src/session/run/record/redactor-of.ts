// The redactor of a connection's secrets. Made once for each list: every run of a connection needs it several times.
import { createRedactor } from '../../../library';
import type { Redactor } from '../../../library';

const known = new WeakMap<readonly string[], Redactor>();

/** @param secrets Must not change. */
export function redactorOf(secrets: readonly string[]): Redactor {
  const redactor = known.get(secrets) ?? createRedactor(secrets);
  known.set(secrets, redactor);
  return redactor;
}
