// Reads what a stored run asked from the request that was sent. Pure.
import type { ProtocolEntry } from '../../inspect';
import { findProtocol } from '../../inspect';
import type { NeutralRequest } from '../../types';
import type { ReadRun } from '../journal/run-lines';
import { isRecord } from '../../library';

/**
 * @param catalog The protocols that are read.
 * @returns undefined when nothing was sent, or a body that is masked or cut off and no longer JSON
 */
export function readAsked(
  { wire }: Pick<ReadRun, 'wire'>,
  catalog: readonly ProtocolEntry[],
): NeutralRequest | undefined {
  const request = wire?.requests[wire.attempts.at(-1)?.request ?? -1];
  const body = parseBody(request?.body);
  if (!wire || !request || !body) return undefined;
  // A module may have a protocol of its own. It is read like the first one, and what does not fit it goes to `raw`.
  const protocol = findProtocol(catalog, request) ?? catalog[0];
  return protocol?.readRequest({ body, sent: wire.sampling.sent, isStreaming: true });
}

function parseBody(text = ''): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
