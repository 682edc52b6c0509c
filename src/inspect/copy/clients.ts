// Prints a chat request as code for a client library: openai, ollama, or the library of this project. Pure.
import { isRecord } from '../json-record';
import { CHAT_PATHS } from './copy-forms';
import type { CopyParts, Piece } from './copy-parts';
import { bodyValue, notesOf } from './copy-parts';
import { toNeutral } from './neutral-request';
import { printJs, quoteJs } from './print-js';
import { jsText } from './scripts';

/** @param parts Parts of a chat request in the hosted protocol. */
export function toOpenAiClient(parts: CopyParts): string {
  const options = [`  baseURL: ${jsText(hostOf(parts, CHAT_PATHS.hosted))},`];
  const key = keyOf(parts, /^authorization$/i);
  options.push(`  apiKey: ${key ? jsText(key) : "'none'"},`);
  options.push(...printHeaders(parts, 'defaultHeaders', /^(content-type|authorization)$/i));
  return print(parts, [
    importOf('OpenAI', 'openai'),
    '',
    'const client = new OpenAI({',
    ...options,
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
    ...printHeaders(parts, 'headers', /^content-type$/i),
    '});',
    `const reply = await client.chat(${printJs(bodyValue(parts.body)?.value)});`,
    ...printReply(parts),
  ]);
}

/**
 * @param parts Parts of a chat request.
 * @param sent Neutral sampling key → key in the request.
 */
export function toProviderCode(parts: CopyParts, sent: Readonly<Record<string, string>>): string {
  const isHosted = CHAT_PATHS.hosted.test(pathOf(parts));
  const body = bodyValue(parts.body)?.value;
  const { model, messages, tools, sampling, raw, isStreamed } = toNeutral(isRecord(body) ? body : {}, sent, {
    isHosted,
  });
  const name = isHosted ? 'HostedApiProvider' : 'LocalHostProvider';
  const key = keyOf(parts, /^(authorization|api-key)$/i);
  const apiKey = key ? [`  apiKey: ${jsText(key)} ?? '',`] : [`  apiKey: '',`, `  auth: 'none',`];
  return print(parts, [
    importOf(`{ ${name} }`, './src/library'),
    '',
    `const provider = new ${name}({`,
    `  host: ${jsText(hostOf(parts, isHosted ? CHAT_PATHS.hosted : CHAT_PATHS.local))},`,
    `  model: ${printJs(model)},`,
    ...(isHosted ? apiKey : []),
    ...(hasKeyHeader(parts) ? [`  auth: 'api-key',`] : []),
    ...printHeaders(parts, 'headers', /^(content-type|authorization|api-key)$/i),
    ...(Object.keys(raw).length > 0 ? [`  raw: ${printJs(raw, '  ')},`] : []),
    '});',
    'const turn = await provider.chat({',
    `  messages: ${printJs(messages, '  ')},`,
    ...(tools.length > 0 ? [`  tools: ${printJs(tools, '  ')},`] : []),
    ...(Object.keys(sampling).length > 0 ? [`  sampling: ${printJs(sampling, '  ')},`] : []),
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
function hostOf({ url }: CopyParts, path: RegExp): Piece[] {
  const [first, ...rest] = url;
  if (typeof first !== 'string') return url;
  const [address = '', ...query] = first.split(/(?=[?#])/);
  return [address.replace(path, ''), ...query, ...rest];
}

const hasKeyHeader = (parts: CopyParts): boolean => keyOf(parts, /^api-key$/i) !== undefined;

/** The value of the key without the scheme before it; undefined when no header has a key. */
function keyOf({ headers }: CopyParts, name: RegExp): Piece[] | undefined {
  const value = headers.find((header) => name.test(header.name))?.value;
  const key = value?.filter((piece) => typeof piece !== 'string');
  return key && key.length > 0 ? key : undefined;
}

/** @param own Matches the headers that the client sends by itself. */
function printHeaders({ headers }: CopyParts, option: string, own: RegExp): string[] {
  const others = headers.filter(({ name }) => !own.test(name));
  if (others.length === 0) return [];
  return [
    `  ${option}: {`,
    ...others.map(({ name, value }) => `    ${quoteJs(name)}: ${jsText(value)},`),
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
