// What the usual clients are given to ask a recording in place of their server: some add `/v1` themselves. Pure.
import type { Recording } from './start-recording';

/** By the variable or the setting that they read. */
export type ClientKind = 'openai' | 'anthropic' | 'ollama';

/** @returns '' for a recording that does not run */
export function clientAddress(
  kind: ClientKind,
  { address, root }: Pick<Recording, 'address' | 'root'>,
): string {
  if (address === '' || kind === 'ollama') return root;
  if (kind === 'anthropic') return address.replace(/\/v1$/, '');
  return address === root ? `${root}/v1` : address;
}
