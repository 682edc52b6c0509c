// Prints a chat request as TypeScript for Ollama's client and for the library of this project. Pure.
import type { ProtocolEntry } from '../find-protocol';
import type { CopyParts, CopyPiece } from './copy-parts';
import { bodyValue } from './copy-parts';
import {
  afterPath,
  CONTENT_TYPE,
  importOf,
  keyIn,
  otherHeaders,
  pathOf,
  printMembers,
  printReply,
  printScript,
} from './client-parts';
import { printJs, quoteJs } from './print-js';
import { jsText } from './scripts';
import { isRecord } from '../../library';

/** What a client is printed for. */
export interface ClientContext {
  protocol: ProtocolEntry;
  /** Neutral sampling key → key in the request. */
  sent: Readonly<Record<string, string>>;
}

export function toOllamaClient(parts: CopyParts, { protocol }: ClientContext): string {
  return printScript(parts, [
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
  return printScript(parts, [
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

/** The URL without the path of the protocol; a query stays at its end. */
const hostOf = (parts: CopyParts, { chatPath }: ProtocolEntry): CopyPiece[] => [
  pathOf(parts).slice(0, -chatPath.length),
  ...afterPath(parts),
];

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
