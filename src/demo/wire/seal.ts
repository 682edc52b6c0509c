// Opaque data that a client has to send back unchanged: signatures of thinking and encrypted reasoning. Nothing is secret; the
// seal only shows whether the data came from this program and is intact.
import { createHash } from 'node:crypto';

const MARK_BYTES = 18;

/** @param scope What the data is bound to, such as a protocol and a model. */
export function seal(payload: string, scope: string): string {
  const bytes = Buffer.from(payload);
  return Buffer.concat([markOf(bytes, scope), bytes]).toString('base64');
}

/** Whether `seal` made this text for the same scope. */
export function isSealed(text: string, scope: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  const payload = bytes.subarray(MARK_BYTES);
  return bytes.toString('base64') === text && markOf(payload, scope).equals(bytes.subarray(0, MARK_BYTES));
}

function markOf(payload: Buffer, scope: string): Buffer {
  return createHash('sha256').update(`${scope}\n`).update(payload).digest().subarray(0, MARK_BYTES);
}
