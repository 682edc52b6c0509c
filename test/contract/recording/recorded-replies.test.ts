// Replies that servers really sent: a repair leaves them byte for byte, but for the calls that it returns.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROVIDER_CATALOG, rescueToolCalls } from '../../../src/library';
import type { CatalogEntry } from '../../../src/library';
import { readChat } from '../../../src/recording/read-chat';
import { openRepair } from '../../../src/recording/repair/open-repair';

interface Recorded {
  name: string;
  entry: CatalogEntry;
  request: string;
  status: number;
  type: string;
  body: string;
}

interface File {
  request: { path: string; body: unknown };
  response: { status: number; headers: [string, string][]; body?: string };
}

const toRecorded = (name: string, { request, response }: File): Recorded[] => {
  const entry = PROVIDER_CATALOG.find(({ chatPath }) => request.path.endsWith(chatPath));
  const type = response.headers.find(([field]) => field.toLowerCase() === 'content-type')?.[1] ?? '';
  const { status, body = '' } = response;
  return entry ? [{ name, entry, request: JSON.stringify(request.body), status, type, body }] : [];
};

const readFolder = (folder: string): Recorded[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.endsWith('.expected.json'))
    .flatMap((name) => {
      const file = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Partial<File>;
      return file.request && file.response?.headers ? toRecorded(name, file as File) : [];
    });

/** Those of public bug reports. */
const FIELD: Recorded[] = readFileSync('test/fixtures/field/wires.jsonl', 'utf8')
  .split('\n')
  .filter(Boolean)
  .flatMap((line) => {
    const { id, endpoint, tools, status, headers, chunks } = JSON.parse(line) as {
      id: string;
      endpoint: string;
      tools: { name: string }[];
      status: number;
      headers: Record<string, string>;
      chunks: string[];
    };
    const entry = PROVIDER_CATALOG.find((one) => one.id === endpoint);
    if (!entry) return [];
    const offered = tools.map((tool) => ({ type: 'function', function: tool }));
    const request = JSON.stringify({ messages: [], tools: offered });
    return [{ name: id, entry, request, status, type: headers['content-type'] ?? '', body: chunks.join('') }];
  });

const RECORDED = [
  ...readFolder('test/fixtures/recorded'),
  ...readFolder('test/fixtures/recorded-messages'),
  ...FIELD,
];

function repair({ entry, request, status, type, body }: Recorded, size: number) {
  const chat = readChat(request);
  const { repair: opened } = openRepair(entry, chat, { status, fields: { 'content-type': type } });
  if (!opened) return undefined;
  const bytes = Buffer.from(body);
  const given: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) given.push(opened.push(bytes.subarray(at, at + size)));
  given.push(opened.end());
  return { body: Buffer.concat(given).toString(), changed: opened.changed, tools: chat?.tools ?? [] };
}

const repaired = RECORDED.filter((one) => repair(one, 1_000_000));

it('has many of them', () => {
  expect(repaired.length).toBeGreaterThan(50);
});

describe.each(repaired)('$name', (recorded) => {
  it.each([1, 64, 1_000_000])('says the same, but for its calls, in pieces of %i bytes', (size) => {
    const { body, changed, tools } = repair(recorded, size) ?? { body: '', changed: [], tools: [] };
    const names = tools.map(({ name }) => name);
    const [before, after] = [recorded.body, body].map((text) => recorded.entry.readReply(text, names));
    if (changed.length === 0) {
      expect(body).toBe(recorded.body);
      expect(after?.problem).toBe(before?.problem);
    }
    if (before?.problem !== undefined || after?.problem !== undefined) return;
    const { calls } = rescueToolCalls(before?.raw.content ?? '', tools, before?.raw);
    const isFromText = changed[0]?.from === 'text';
    expect(after?.raw.toolCalls.map(({ name }) => name)).toEqual(
      (isFromText ? calls : before?.raw.toolCalls)?.map(({ name }) => name),
    );
    if (!isFromText) expect(after?.raw.content).toBe(before?.raw.content);
    expect(after?.raw.usage).toEqual(before?.raw.usage);
  });
});
