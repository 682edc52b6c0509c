// How an API key is sent: the header of each way, and the field of a request.
import { InvalidOptionsError } from '../errors';
import { checkText } from '../util/check-options';

/** A way in which a key is sent. */
export interface KeyHeader {
  /** Value of the option `auth`. */
  id: string;
  header: string;
  /** What precedes the key in the header; '' when nothing does. */
  prefix: string;
}

/**
 * @param ways The usual one first.
 * @returns no field with `auth: 'none'`
 * @throws InvalidOptionsError
 */
export function toKeyHeader(
  { apiKey, auth }: { apiKey: string; auth?: string | undefined },
  ways: readonly [KeyHeader, ...KeyHeader[]],
): Record<string, string> {
  if (auth === 'none') return {};
  const way = auth === undefined ? ways[0] : ways.find(({ id }) => id === auth);
  if (!way) {
    throw new InvalidOptionsError('auth', `must be ${ways.map(({ id }) => `'${id}'`).join(', ')} or 'none'`);
  }
  checkText('apiKey', apiKey);
  if (/[^\x21-\x7e]/.test(apiKey)) {
    throw new InvalidOptionsError(
      'apiKey',
      'must be printable ASCII without blanks, as it goes into a header',
    );
  }
  return { [way.header]: `${way.prefix}${apiKey}` };
}
