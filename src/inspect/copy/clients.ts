// Prints a chat request as code for a client library: openai, ollama, or the library of this project. Pure.
import type { ProtocolEntry } from '../find-protocol';
import type { CopyParts, CopyPiece } from './copy-parts';
import { bodyValue, notesOf } from './copy-parts';
import { printJs, quoteJs } from './print-js';
import { jsText } from './scripts';
import { isRecord } from '../../library';

/** What a client is printed for. */
export interface ClientContext {
  protocol: ProtocolEntry;
  /** Neutral sampling key → key in the request. */
  sent: Readonly<Record<string, string>>;
}

const BEARER = { header: 'authorization', prefix: 'Bearer ' };

export function toOpenAiClient(parts: CopyParts, { protocol }: ClientContext): string {
  const key = keyIn(parts, BEARER);
  // The client sends its key as a bearer, unless a header replaces or removes that.
  const isBare = !parts.headers.some(({ name }) => /^authorization$/i.test(name));
  return print(parts, [
    importOf('OpenAI', 'openai'),
    '',
    'const client = new OpenAI({',
    `  baseURL: ${jsText(addressOf(parts, protocol))},`,
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

export function toOllamaClient(parts: CopyParts, { protocol }: ClientContext): string {
  return print(parts, [
    importOf('{ Ollama }', 'ollama'),
    '',
    'const client = new Ollama({',
    `  host: ${jsText(hostOf(parts, protocol))},`,
    ...printMembers('headers', otherHeaders(parts, /^content-type$/i)),
    '});',
    `const reply = await client.chat(${printJs(bodyValue(parts.body)?.value)});`,
    ...printReply(parts),
  ]);
}

export function toProviderCode(parts: CopyParts, { protocol, sent }: ClientContext): string {
  const { providerClass, readRequest, samplingKeys } = protocol;
  const { name } = providerClass;
  const body = bodyValue(parts.body)?.value;
  const neutral = readRequest({ body: isRecord(body) ? body : {}, sent });
  const { model, messages, tools, sampling, toolChoice, raw, isStreamed } = neutral;
  const { printed, own } = toAuthOptions(parts, protocol);
  const limitKey = sampling.maxTokens === undefined ? undefined : sent['maxTokens']?.split('.').at(-1);
  const isOtherKey = limitKey !== undefined && limitKey !== samplingKeys.maxTokens;
  return print(parts, [
    importOf(`{ ${name} }`, './src/library'),
    '',
    `const provider = new ${name}({`,
    `  host: ${jsText(hostOf(parts, protocol))},`,
    `  model: ${printJs(model)},`,
    ...printed,
    ...(isOtherKey ? [`  tokenLimitKey: ${quoteJs(limitKey)},`] : []),
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
const hostOf = (parts: CopyParts, protocol: ProtocolEntry): CopyPiece[] => [
  ...addressOf(parts, protocol),
  ...afterPath(parts),
];

/** The URL without the path of the protocol and without its query. */
const addressOf = (parts: CopyParts, { chatPath }: ProtocolEntry): CopyPiece[] => [
  pathOf(parts).slice(0, -chatPath.length),
];

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

/** How the provider sends the key, and which headers it sends by itself then. */
function toAuthOptions(parts: CopyParts, { auth }: ProtocolEntry): { printed: string[]; own: RegExp } {
  if (auth.length === 0) return { printed: [], own: CONTENT_TYPE };
  for (const [index, way] of auth.entries()) {
    const key = keyIn(parts, way);
    if (!key) continue;
    const printed = [
      `  apiKey: ${jsText(key)} ?? '',`,
      ...(index === 0 ? [] : [`  auth: ${quoteJs(way.id)},`]),
    ];
    return { printed, own: new RegExp(`^(content-type|${way.header})$`, 'i') };
  }
  return { printed: [`  apiKey: '',`, `  auth: 'none',`], own: CONTENT_TYPE };
}

const CONTENT_TYPE = /^content-type$/i;

/** The key that is sent in this way; undefined when none is. */
function keyIn(
  { headers }: CopyParts,
  { header, prefix }: Pick<ProtocolEntry['auth'][number], 'header' | 'prefix'>,
): CopyPiece[] | undefined {
  const [first, ...key] = headers.find(({ name }) => name.toLowerCase() === header)?.value ?? [];
  const isKey = typeof first === 'string' && first.toLowerCase() === prefix.toLowerCase() && key.length > 0;
  return isKey ? key : undefined;
}

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
