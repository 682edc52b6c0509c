// Finds the protocol of a recorded chat request in a catalog. Pure.
import type { CatalogEntry, ExchangeRequest } from '../library';

/** What is known of a protocol apart from its provider. */
export type ProtocolEntry = Pick<
  CatalogEntry,
  | 'id'
  | 'auth'
  | 'chatPath'
  | 'client'
  | 'finishWords'
  | 'providerClass'
  | 'readRequest'
  | 'replyPlaces'
  | 'samplingKeys'
>;

/** @returns undefined when the request is no chat in a protocol of the catalog */
export const findProtocol = <Entry extends ProtocolEntry>(
  catalog: readonly Entry[],
  { url }: Pick<ExchangeRequest, 'url'>,
): Entry | undefined => {
  const [path = ''] = url.split(/[?#]/, 1);
  return catalog.find(({ chatPath }) => path.endsWith(chatPath));
};

/** Whether a request goes over HTTP; the models of the editor are asked inside of it. */
export const isOverHttp = ({ url }: Pick<ExchangeRequest, 'url'>): boolean => /^https?:/i.test(url);
