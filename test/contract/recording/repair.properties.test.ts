// What the official clients make of repaired streams, however these are cut, and wherever they break off.
import { describe, expect, it, vi } from 'vitest';
import { PROVIDER_CATALOG, rescueToolCalls } from '../../../src/library';
import { readChat } from '../../../src/recording/read-chat';
import { openRepair } from '../../../src/recording/repair/open-repair';
import { fc, runs } from '../../support/arbitrary/properties';
import type { ClientReading } from '../../support/agents/read-by-client';
import { CLIENTS } from '../../support/agents/read-by-client';
import type { Script, Step } from '../../support/agents/stream-scripts';
import { STREAMS, TYPES } from '../../support/agents/stream-scripts';
import { PARAMETERS } from '../../support/agents/weather-tool';

const TOOL = { name: 'get_weather', description: '', parameters: PARAMETERS };
const OFFERED = [{ type: 'function', ...TOOL, function: TOOL }];
const CHAT = readChat(JSON.stringify({ messages: [], tools: OFFERED }));

function repair(path: string, body: Buffer, size: number) {
  const protocol = PROVIDER_CATALOG.find(({ chatPath }) => chatPath === path);
  const opened =
    protocol && openRepair(protocol, CHAT, { status: 200, fields: { 'content-type': TYPES[path] } }).repair;
  if (!opened) throw new Error('there is no repair');
  const given: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) given.push(opened.push(body.subarray(at, at + size)));
  given.push(opened.end());
  return { body: Buffer.concat(given).toString(), changed: opened.changed };
}

const CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';

const CALL_AND_MORE = /"city": "Oslo"[^]*\S/;

/** Prose after a call flows on; if the call then does not count after all, it follows that prose. */
function isSaid(given: string, text: string): boolean {
  const sort = (of: string): string => Array.from(of.replaceAll(/\s/g, '')).toSorted().join('');
  return given === text || (CALL_AND_MORE.test(text) && sort(given) === sort(text));
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      text: fc.oneof(
        fc.constantFrom(
          CALL,
          'Well. ',
          ' ☃\n',
          '<',
          '<tool_call>',
          '```\n',
          '[TOOL_CALLS]',
          '<think>',
          '</think>',
        ),
        fc.nat(CALL.length).map((at) => CALL.slice(0, at)),
        fc.nat(CALL.length).map((at) => CALL.slice(at)),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('thinking' as const), text: fc.constant('Hm.') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      text: fc.constantFrom('{"city":"Rome"}', "{'city': 'Rome'}", '{"city":"Rome",}', '', '{"city":"Ro'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('comment' as const) }) },
);

const script: fc.Arbitrary<Script> = fc.record({
  steps: fc.array(step, { maxLength: 8 }),
  end: fc.constantFrom('stop', 'stop', 'stop', 'length', 'filter', 'error', 'nothing'),
});

function rescue(text: string, finishReason: string): { calls: unknown[]; kept: string } {
  const { calls } = rescueToolCalls(text, [TOOL], { finishReason });
  const kept = calls.toReversed().reduce((of, { start, end }) => of.slice(0, start) + of.slice(end), text);
  return { calls: calls.map((call) => call.arguments), kept };
}

const parse = (args: unknown): unknown => (typeof args === 'string' ? JSON.parse(args || '{}') : args);

describe.each(Object.keys(STREAMS))('the stream of %s', (path) => {
  const client = CLIENTS[path] ?? (() => Promise.reject(new Error('there is no client')));

  /** An event without its end says nothing to a client; what was repaired in it has one. */
  const readBroken = async (body: string): Promise<ClientReading[]> => [
    await client(body),
    await client(path === '/api/chat' ? body : `${body}\n\n`),
  ];

  const check = async (body: Buffer, size: number, { end }: Script): Promise<boolean> => {
    const { body: given, changed } = repair(path, body, size);
    const read = await readBroken(body.toString());
    const after = await client(given);
    const [change] = changed;
    if (!change) {
      const texts = read.map(({ text }) => text);
      expect(texts.some((text) => isSaid(after.text, text))).toBe(true);
      expect(read.map((each) => ({ ...each, text: '' }))).toContainEqual({ ...after, text: '' });
      return false;
    }
    if (change.from === 'arguments') {
      // Anthropic's client gives up at arguments that are damaged.
      if (!read[0]?.hasFailed) expect(isSaid(after.text, read[0]?.text ?? '')).toBe(true);
      for (const { arguments: args } of after.calls) expect(parse(args)).toBeTypeOf('object');
      return true;
    }
    const { calls, kept } = rescue(read[1]?.text ?? '', end);
    expect(after.calls.map((call) => parse(call.arguments))).toEqual(calls);
    expect(isSaid(after.text.trimEnd(), kept.trimEnd())).toBe(true);
    return true;
  };

  // Clients log what is no JSON.
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();

  it('says the same as before to the client, but for its calls', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.constantFrom(1, 7, 100_000), async (told, size) => {
        const body = Buffer.from(STREAMS[path]?.(told) ?? '');
        const isRepaired = await check(body, size, told);
        if (isRepaired)
          expect(await client(repair(path, body, size).body)).toMatchObject({ hasFailed: false });
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('loses nothing where it breaks off', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.double({ min: 0, max: 1, noNaN: true }), async (told, share) => {
        const body = Buffer.from(STREAMS[path]?.(told) ?? '');
        await check(body.subarray(0, Math.floor(body.length * share)), 13, told);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('is repaired in the same way however it arrives', () => {
    const IDS = /"(?:id|call_id|item_id)":"[^"]*"/g;
    fc.assert(
      fc.property(
        script,
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (told, size, end) => {
          const body = (STREAMS[path]?.(told) ?? '').replaceAll('\n', path === '/api/chat' ? '\n' : end);
          const [one, other] = [size, 1_000_000].map((each) => repair(path, Buffer.from(body), each));
          const texts = (of: string): string => of.replaceAll(IDS, '');
          expect(one?.changed).toEqual(other?.changed);
          expect(texts(one?.body ?? '')).toBe(texts(other?.body ?? ''));
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  it('stays byte for byte where it has no calls', () => {
    const prose = fc.constantFrom(
      'Well. ',
      '☃ is 3 < 4\n',
      'a\r\nb',
      'x',
      'It is',
      '{"a": 1}',
      'see [1]',
      '<b>',
    );
    const plain = fc.record({
      steps: fc.array(fc.record({ kind: fc.constantFrom('text', 'thinking'), text: prose }), {
        maxLength: 8,
      }),
      end: fc.constantFrom<Script['end'][]>('stop', 'length', 'filter', 'error', 'nothing'),
    });
    fc.assert(
      fc.property(
        plain,
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('\n', '\r\n'),
        (told, size, end) => {
          const body = (STREAMS[path]?.(told) ?? '').replaceAll('\n', end);
          expect(repair(path, Buffer.from(body), size).body).toBe(body);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});
