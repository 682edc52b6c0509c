// What the code for client libraries has in common: the parts of a request that their options take, and how options are
// printed. Pure.
import type { ProtocolEntry } from '../find-protocol';
import type { CopyParts, CopyPiece } from './copy-parts';
import { bodyValue, notesOf } from './copy-parts';
import { quoteJs } from './print-js';
import { jsText } from './scripts';
import { isRecord } from '../../library';

export const importOf = (names: string, from: string): string => `import ${names} from ${quoteJs(from)};`;

export const printScript = (parts: CopyParts, lines: readonly string[]): string =>
  [...notesOf(parts).map((note) => `// ${note}`), ...lines, ''].join('\n');

export const pathOf = ({ url }: CopyParts): string =>
  url
    .map((piece) => (typeof piece === 'string' ? piece : ''))
    .join('')
    .split(/[?#]/, 1)[0] ?? '';

/** A URL begins with a text in which its path ends, since only values in its query are masked. */
export function afterPath({ url }: CopyParts): CopyPiece[] {
  const [first = '', ...rest] = url;
  const query = typeof first === 'string' ? first.slice(first.split(/[?#]/, 1)[0]?.length) : first;
  return query === '' ? rest : [query, ...rest];
}

/** The parameters of the query, decoded. */
export function queryOf(parts: CopyParts): Member[] {
  const members: Member[] = [];
  for (const piece of afterPath(parts)) {
    const last = members.at(-1);
    // The text before a masked value ends with the name of its parameter.
    if (typeof piece !== 'string') {
      if (last) last.value = [piece];
      continue;
    }
    for (const pair of piece.replace(/#.*$/s, '').replace(/^\?/, '').split('&')) {
      const [name = '', ...value] = pair.split('=');
      if (pair !== '') members.push({ name: decode(name), value: [decode(value.join('='))] });
    }
  }
  return members;
}

/** Decodes a part of a query, as a form field. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

export const CONTENT_TYPE = /^content-type$/i;

export type KeyWay = Pick<ProtocolEntry['auth'][number], 'header' | 'prefix'>;

/** The key that is sent in this way; undefined when none is. */
export function keyIn({ headers }: CopyParts, { header, prefix }: KeyWay): CopyPiece[] | undefined {
  const [first, ...key] = headers.find(({ name }) => name.toLowerCase() === header)?.value ?? [];
  const isKey = typeof first === 'string' && first.toLowerCase() === prefix.toLowerCase() && key.length > 0;
  return isKey ? key : undefined;
}

/** A member of an object; null is printed as it is. */
export interface Member {
  name: string;
  value: CopyPiece[] | null;
}

/** @param own Matches the headers that the client sends by itself. */
export const otherHeaders = ({ headers }: CopyParts, own: RegExp): Member[] =>
  headers.filter(({ name }) => !own.test(name));

export function printMembers(option: string, members: readonly Member[]): string[] {
  if (members.length === 0) return [];
  return [
    `  ${option}: {`,
    ...members.map(({ name, value }) => `    ${quoteJs(name)}: ${value ? jsText(value) : 'null'},`),
    '  },',
  ];
}

export const printReply = (parts: CopyParts): string[] =>
  asksForStream(parts)
    ? ['for await (const part of reply) console.log(JSON.stringify(part));']
    : ['console.log(JSON.stringify(reply, null, 2));'];

export function asksForStream({ body }: CopyParts): boolean {
  const value = bodyValue(body)?.value;
  return isRecord(value) && value['stream'] === true;
}
