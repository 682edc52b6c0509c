// Lists the forms in which a recorded request can be copied, and which of them fit it. Pure. Does not print them.
import type { ExchangeRequest } from '../../types';
import type { ProtocolEntry } from '../find-protocol';
import { findProtocol } from '../find-protocol';
import { bodyValue } from './copy-parts';
import { isRecord } from '../../library';

/** Forms that fit any request. */
export type PlainForm = 'bash' | 'powershell' | 'fetch' | 'python';
/** Forms for chats in a protocol of the catalog. `provider` is the library of this project. */
export type ClientForm = NonNullable<ProtocolEntry['client']> | 'provider';
export type CopyForm = PlainForm | ClientForm;

export function copyForms(request: ExchangeRequest, catalog: readonly ProtocolEntry[]): CopyForm[] {
  const { client } = chatProtocol(request, catalog) ?? {};
  // The client of Ollama drops a query.
  const isLossy = client === 'ollama' && request.url.includes('?');
  return [
    'bash',
    'powershell',
    'fetch',
    'python',
    ...(client && !isLossy ? [client] : []),
    ...(chatProtocol(request, catalog) ? (['provider'] as const) : []),
  ];
}

/** @returns undefined when the request is no chat in a protocol of the catalog */
export const chatProtocol = (
  request: ExchangeRequest,
  catalog: readonly ProtocolEntry[],
): ProtocolEntry | undefined =>
  isRecord(bodyValue(request.body)?.value) ? findProtocol(catalog, request) : undefined;
