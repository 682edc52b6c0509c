// Lists the forms in which a recorded request can be copied, and which of them fit it. Pure. Does not print them.
import type { ExchangeRequest } from '../../types';
import type { ProtocolEntry } from '../find-protocol';
import { findProtocol, isOverHttp } from '../find-protocol';
import { bodyValue } from './copy-parts';
import type { OfficialForm } from './official-clients';
import { officialForms } from './official-clients';
import { isRecord } from '../../library';

/** Forms that fit any request. */
export type PlainForm = 'bash' | 'powershell' | 'fetch' | 'python';
/** Forms for chats in a protocol of the catalog. `provider` is the library of this project. */
export type ClientForm = OfficialForm | 'ollama' | 'provider';
export type CopyForm = PlainForm | ClientForm;

export function copyForms(request: ExchangeRequest, catalog: readonly ProtocolEntry[]): CopyForm[] {
  if (!isOverHttp(request)) return [];
  const plain: CopyForm[] = ['bash', 'powershell', 'fetch', 'python'];
  const protocol = chatProtocol(request, catalog);
  return protocol ? [...plain, ...clientForms(request, protocol), 'provider'] : plain;
}

function clientForms({ url }: ExchangeRequest, { client }: ProtocolEntry): ClientForm[] {
  // The client of Ollama drops a query.
  if (client === 'ollama') return url.includes('?') ? [] : [client];
  return officialForms(client, url.split(/[?#]/, 1)[0] ?? '');
}

/** @returns undefined when the request is no chat in a protocol of the catalog */
export const chatProtocol = (
  request: ExchangeRequest,
  catalog: readonly ProtocolEntry[],
): ProtocolEntry | undefined =>
  isRecord(bodyValue(request.body)?.value) ? findProtocol(catalog, request) : undefined;
