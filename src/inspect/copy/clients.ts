// Prints a chat request as code for a client library: openai, ollama, or the library of this project. Pure.
import type { ProtocolEntry } from '../find-protocol';
import { findProtocol } from '../find-protocol';
import { isRecord } from '../json-record';
import { CHAT_PATHS } from './copy-forms';
import type { CopyParts, CopyPiece } from './copy-parts';
import { bodyValue, notesOf } from './copy-parts';
import { printJs, quoteJs } from './print-js';
import { jsText } from './scripts';

/** @param parts Parts of a chat request in the hosted protocol. */
export function toOpenAiClient(parts: CopyParts): string {
  const key = bearerOf(parts);
  // The client sends its key as a bearer, unless a header replaces or removes that.
  const isBare = !parts.headers.some(({ name }) => /^authorization$/i.test(name));
  return print(parts, [
    importOf('OpenAI', 'openai'),
    '',
    'const client = new OpenAI({',
    `  baseURL: ${jsText(addressOf(parts, CHAT_PATHS.hosted))},`,
    `  apiKey: ${key ? jsText(key) : "'none'"},`,
    ...printMembers('defaultQuery', queryOf(parts)),
    ...printMembers('defaultHeaders', [
      ...otherHeaders(parts, key ? /^(content-type|authorization)$/i : /^content-type$/i),
      ...(isBare ? [{ name: 'authorization', value: null }] : []),
    ]),
    '});',
    `const reply = await client.chat.completions.create(${printJs(bodyValue(parts.body)?.value)});`,
    ...printReply(parts),
  ]);
}

/** @param parts Parts of a chat request in the local protocol. */
export function toOllamaClient(parts: CopyParts): string {
  return print(parts, [
    importOf('{ Ollama }', 'ollama'),
    '',
    'const client = new Ollama({',
    `  host: ${jsText(hostOf(parts, CHAT_PATHS.local))},`,
    ...printMembers('headers', otherHeaders(parts, /^content-type$/i)),
    '});',
    `const reply = await client.chat(${printJs(bodyValue(parts.body)?.value)});`,
    ...printReply(parts),
  ]);
}

export interface ReadOptions {
  /** Neutral sampling key → key in the request. */
  sent: Readonly<Record<string, string>>;
  catalog: readonly ProtocolEntry[];
}

/** @param parts Parts of a chat request in a protocol of the catalog. */
export function toProviderCode(parts: CopyParts, { sent, catalog }: ReadOptions): string {
  const isHosted = CHAT_PATHS.hosted.test(pathOf(parts));
  const body = bodyValue(parts.body)?.value;
  const neutral = findProtocol(catalog, { url: pathOf(parts) })?.readRequest({
    body: isRecord(body) ? body : {},
    sent,
  });
  if (!neutral) return '';
  const { model, messages, tools, sampling, toolChoice, raw, isStreamed } = neutral;
  const name = isHosted ? 'HostedApiProvider' : 'LocalHostProvider';
  const { printed, own } = isHosted ? toAuthOptions(parts) : { printed: [], own: /^content-type$/i };
  const isNewKey = isHosted && sent['maxTokens'] === 'max_completion_tokens' && 'maxTokens' in sampling;
  return print(parts, [
    importOf(`{ ${name} }`, './src/library'),
    '',
    `const provider = new ${name}({`,
    `  host: ${jsText(hostOf(parts, isHosted ? CHAT_PATHS.hosted : CHAT_PATHS.local))},`,
    `  model: ${printJs(model)},`,
    ...printed,
    ...(isNewKey ? [`  tokenLimitKey: 'max_completion_tokens',`] : []),
    ...printMembers('headers', otherHeaders(parts, own)),
    ...(Object.keys(raw).length > 0 ? [`  raw: ${printJs(raw, '  ')},`] : []),
    '});',
    'const turn = await provider.chat({',
    `  messages: ${printJs(messages, '  ')},`,
    ...(tools.length > 0 ? [`  tools: ${printJs(tools, '  ')},`] : []),
    ...(Object.keys(sampling).length > 0 ? [`  sampling: ${printJs(sampling, '  ')},`] : []),
    ...(toolChoice === undefined ? [] : [`  toolChoice: ${printJs(toolChoice, '  ')},`]),
    ...(isStreamed ? [`  onDelta: ({ content = '' }) => process.stdout.write(content),`] : []),
    '});',
    'console.log(JSON.stringify(turn.raw, null, 2), turn.toolCalls);',
  ]);
}

const importOf = (names: string, from: string): string => `import ${names} from ${quoteJs(from)};`;

const print = (parts: CopyParts, lines: readonly string[]): string =>
  [...notesOf(parts).map((note) => `// ${note}`), ...lines, ''].join('\n');

const pathOf = ({ url }: CopyParts): string =>
  url
    .map((piece) => (typeof piece === 'string' ? piece : ''))
    .join('')
    .split(/[?#]/, 1)[0] ?? '';

/** The URL without the path of the protocol; a query stays at its end. */
const hostOf = (parts: CopyParts, path: RegExp): CopyPiece[] => [
  ...addressOf(parts, path),
  ...afterPath(parts),
];

/** The URL without the path of the protocol and without its query. */
const addressOf = (parts: CopyParts, path: RegExp): CopyPiece[] => [pathOf(parts).replace(path, '')];

/** A URL begins with a text in which its path ends, since only values in its query are masked. */
function afterPath({ url }: CopyParts): CopyPiece[] {
  const [first = '', ...rest] = url;
  const query = typeof first === 'string' ? first.slice(first.split(/[?#]/, 1)[0]?.length) : first;
  return query === '' ? rest : [query, ...rest];
}

/** The parameters of the query, decoded. */
function queryOf(parts: CopyParts): Member[] {
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

/** How the hosted provider sends the key, and which headers it sends by itself then. */
function toAuthOptions(parts: CopyParts): { printed: string[]; own: RegExp } {
  const bearer = bearerOf(parts);
  if (bearer)
    return { printed: [`  apiKey: ${jsText(bearer)} ?? '',`], own: /^(content-type|authorization)$/i };
  const key = parts.headers.find(({ name }) => /^api-key$/i.test(name))?.value.filter(isVariable) ?? [];
  return key.length > 0
    ? { printed: [`  apiKey: ${jsText(key)} ?? '',`, `  auth: 'api-key',`], own: /^(content-type|api-key)$/i }
    : { printed: [`  apiKey: '',`, `  auth: 'none',`], own: /^content-type$/i };
}

/** The value of the key that is sent as a bearer; undefined when none is. */
function bearerOf({ headers }: CopyParts): CopyPiece[] | undefined {
  const [scheme, ...key] = headers.find(({ name }) => /^authorization$/i.test(name))?.value ?? [];
  return typeof scheme === 'string' && /^bearer $/i.test(scheme) && key.length > 0 ? key : undefined;
}

const isVariable = (piece: CopyPiece): boolean => typeof piece !== 'string';

/** A member of an object; null is printed as it is. */
interface Member {
  name: string;
  value: CopyPiece[] | null;
}

/** @param own Matches the headers that the client sends by itself. */
const otherHeaders = ({ headers }: CopyParts, own: RegExp): Member[] =>
  headers.filter(({ name }) => !own.test(name));

function printMembers(option: string, members: readonly Member[]): string[] {
  if (members.length === 0) return [];
  return [
    `  ${option}: {`,
    ...members.map(({ name, value }) => `    ${quoteJs(name)}: ${value ? jsText(value) : 'null'},`),
    '  },',
  ];
}

function printReply({ body }: CopyParts): string[] {
  const value = bodyValue(body)?.value;
  const isStreamed = isRecord(value) && value['stream'] === true;
  return isStreamed
    ? ['for await (const part of reply) console.log(JSON.stringify(part));']
    : ['console.log(JSON.stringify(reply, null, 2));'];
}
