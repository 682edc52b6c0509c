// Prints a chat request as code for the client library that the makers of its protocol publish, in TypeScript and in Python.
// Pure.
import type { ProtocolEntry } from '../find-protocol';
import { parseRecord } from '../json-record';
import type { KeyWay, Member } from './client-parts';
import {
  asksForStream,
  CONTENT_TYPE,
  importOf,
  keyIn,
  otherHeaders,
  pathOf,
  printMembers,
  printReply,
  printScript,
  queryOf,
} from './client-parts';
import type { CopyParts, CopyPiece } from './copy-parts';
import { bodyValue, notesOf } from './copy-parts';
import { printJs } from './print-js';
import { jsText, printPython, pythonText, quotePython } from './scripts';

/** A library of the makers of a protocol. */
interface OfficialClient {
  /** The class of its clients. */
  name: string;
  npm: string;
  pypi: string;
  /** The method that sends a chat, and the path that it adds to the base URL. */
  method: string;
  path: string;
  /** How each language sends a key that is passed as an option, in all versions. */
  keyOptions: Readonly<Record<Language, readonly KeyOption[]>>;
  /** Headers in which it may send a key of the environment. Versions for Python tell upper case from lower case. */
  keyHeaders: readonly string[];
  /** Keys of a request that are parameters of the method in all versions for Python; the others go into `extra_body`. */
  parameters: readonly string[];
  /** Whether it refuses a long reply that is not streamed, unless it is given a time limit. */
  needsTimeout?: boolean;
}

type Language = 'typescript' | 'python';
type KeyOption = KeyWay & { option: string };

const BEARER = { header: 'authorization', prefix: 'Bearer ' };

const OPENAI = {
  name: 'OpenAI',
  npm: 'openai',
  pypi: 'openai',
  keyOptions: {
    typescript: [{ ...BEARER, option: 'apiKey' }],
    python: [{ ...BEARER, option: 'api_key' }],
  },
  keyHeaders: ['Authorization'],
};

/** By the `client` of a protocol in the catalog. */
const OFFICIAL_CLIENTS = {
  openai: {
    ...OPENAI,
    method: 'chat.completions.create',
    path: '/chat/completions',
    parameters: [
      'model',
      'messages',
      'tools',
      'tool_choice',
      'temperature',
      'top_p',
      'stop',
      'seed',
      'stream',
    ],
  },
  'openai-responses': {
    ...OPENAI,
    method: 'responses.create',
    path: '/responses',
    parameters: [
      'model',
      'input',
      'instructions',
      'tools',
      'tool_choice',
      'temperature',
      'top_p',
      'max_output_tokens',
      'store',
      'stream',
    ],
  },
  anthropic: {
    name: 'Anthropic',
    npm: '@anthropic-ai/sdk',
    pypi: 'anthropic',
    method: 'messages.create',
    path: '/v1/messages',
    // Version 1 for TypeScript sends `apiKey` as a bearer, the ones before it as `x-api-key`.
    keyOptions: {
      typescript: [],
      python: [
        { header: 'x-api-key', prefix: '', option: 'api_key' },
        { ...BEARER, option: 'auth_token' },
      ],
    },
    keyHeaders: ['X-Api-Key', 'Authorization'],
    // The sampling keys are no parameters of version 1.
    parameters: [
      'model',
      'max_tokens',
      'system',
      'messages',
      'tools',
      'tool_choice',
      'stop_sequences',
      'stream',
    ],
    needsTimeout: true,
  },
} as const satisfies Partial<Record<NonNullable<ProtocolEntry['client']>, OfficialClient>>;

type OfficialId = keyof typeof OFFICIAL_CLIENTS;
/** `-python`: the client for that language; the others are for TypeScript. */
export type OfficialForm = OfficialId | `${OfficialId}-python`;

const isOfficial = (client: string): client is OfficialId => Object.hasOwn(OFFICIAL_CLIENTS, client);

/** @returns the forms for a chat at this path; none where the client would send it elsewhere */
export const officialForms = (client: ProtocolEntry['client'], path: string): OfficialForm[] =>
  client && isOfficial(client) && path.endsWith(OFFICIAL_CLIENTS[client].path)
    ? [client, `${client}-python`]
    : [];

export function toOfficialClient(form: OfficialForm, parts: CopyParts, protocol: ProtocolEntry): string {
  const id = form.replace(/-python$/, '') as OfficialId;
  const client: OfficialClient = OFFICIAL_CLIENTS[id];
  return form === id ? toTypeScript(client, parts, protocol) : toPythonClient(client, parts, protocol);
}

function toTypeScript(client: OfficialClient, parts: CopyParts, protocol: ProtocolEntry): string {
  const { option, key, headers } = resolveKey(client, parts, protocol.auth, 'typescript');
  return printScript(parts, [
    importOf(client.name, client.npm),
    '',
    `const client = new ${client.name}({`,
    `  baseURL: ${jsText(baseUrl(client, parts))},`,
    `  ${option ?? 'apiKey'}: ${jsText(key)},`,
    ...(client.needsTimeout ? ['  timeout: 3_600_000,'] : []),
    ...printMembers('defaultQuery', queryOf(parts)),
    ...printMembers('defaultHeaders', headers),
    '});',
    `const reply = await client.${client.method}(${printJs(bodyValue(parts.body)?.value)});`,
    ...printReply(parts),
  ]);
}

function toPythonClient(client: OfficialClient, parts: CopyParts, protocol: ProtocolEntry): string {
  const { option, key, headers } = resolveKey(client, parts, protocol.auth, 'python');
  const names = headers.some(({ value }) => value === null) ? `${client.name}, Omit` : client.name;
  return [
    ...notesOf(parts).map((note) => `# ${note}`),
    ...(parts.variables.length > 0 ? ['import os', ''] : []),
    `from ${client.pypi} import ${names}`,
    '',
    `client = ${client.name}(`,
    `    base_url=${pythonText(baseUrl(client, parts))},`,
    `    ${option ?? 'api_key'}=${pythonText(key)},`,
    ...(client.needsTimeout ? ['    timeout=3600,'] : []),
    ...printPythonMembers('default_query', queryOf(parts)),
    ...printPythonMembers('default_headers', headers),
    ')',
    `reply = client.${client.method}(`,
    ...printArguments(client, parts),
    ')',
    ...(asksForStream(parts)
      ? ['for part in reply:', '    print(part.to_json(indent=None))']
      : ['print(reply.to_json())']),
    '',
  ].join('\n');
}

/** The client adds the rest of the path. */
const baseUrl = ({ path }: OfficialClient, parts: CopyParts): CopyPiece[] => [
  pathOf(parts).slice(0, -path.length),
];

/** The option with the key, and the headers that the client does not send of its own accord; null removes one that it might. */
function resolveKey(
  { keyOptions, keyHeaders }: OfficialClient,
  parts: CopyParts,
  auth: ProtocolEntry['auth'],
  language: Language,
): { option: string | undefined; key: CopyPiece[]; headers: Member[] } {
  const used = keyOptions[language].find((way) => keyIn(parts, way));
  const way = used ?? auth.find((other) => keyIn(parts, other));
  const own = used ? new RegExp(`^(content-type|${used.header})$`, 'i') : CONTENT_TYPE;
  const sent = new Set(parts.headers.map(({ name }) => name.toLowerCase()));
  const unsent = keyHeaders.filter((header) => !sent.has(header.toLowerCase()));
  return {
    option: used?.option,
    // A client without a key is an error, or looks for one in its environment.
    key: (way && keyIn(parts, way)) ?? ['none'],
    headers: [...otherHeaders(parts, own), ...unsent.map((name) => ({ name, value: null }))],
  };
}

function printPythonMembers(option: string, members: readonly Member[]): string[] {
  if (members.length === 0) return [];
  return [
    `    ${option}={`,
    ...members.map(
      ({ name, value }) => `        ${quotePython(name)}: ${value ? pythonText(value) : 'Omit()'},`,
    ),
    '    },',
  ];
}

function printArguments({ parameters }: OfficialClient, { body }: CopyParts): string[] {
  const entries = Object.entries(parseRecord(body) ?? {});
  const others = entries.filter(([key]) => !parameters.includes(key));
  return [
    ...entries
      .filter(([key]) => parameters.includes(key))
      .map(([key, value]) => `    ${key}=${printPython(value, '    ')},`),
    ...(others.length > 0 ? [`    extra_body=${printPython(Object.fromEntries(others), '    ')},`] : []),
  ];
}
