import { appendFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MAX_BODY_VALUES, parseBody, parseRecord, TOO_LARGE } from '../../../../src/session/store/record';
import { fill, ID, line, StoreFolder } from './store-folder';

const bytesOf = (key: string, value: unknown): Buffer => Buffer.from(JSON.stringify({ body: key, value }));
const listOf = (length: number): number[] => Array.from({ length }, () => 1);

/** Lengths of the texts that are parsed from now on. */
function watchParsing(): number[] {
  const lengths: number[] = [];
  const { parse } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    lengths.push(text.length);
    return parse(text, reviver) as unknown;
  });
  return lengths;
}

afterEach(() => void vi.restoreAllMocks());

describe('parseRecord', () => {
  test('reads the key of a body, whatever is in it, and not its value', () => {
    const key = `run:"\\é\u{1F600}${'\u0001'.repeat(900)}`;
    const bytes = bytesOf(key, { text: 'x'.repeat(100_000), body: 'other' });
    const removal = Buffer.from(JSON.stringify({ body: key }));
    const lengths = watchParsing();
    expect(parseRecord(bytes)).toEqual({ kind: 'body', key, hasValue: true });
    expect(Math.max(...lengths)).toBeLessThan(6_000);
    expect(parseRecord(removal)).toEqual({ kind: 'body', key, hasValue: false });
  });

  test.each([
    '{"body":"k","value":{"a":1',
    '{"body":"k',
    '{"body":1,"value":{}}',
    '{"body":"k","line":{}}',
    '{"body":"k"} }',
  ])('reads no body from %s', (text) => expect(parseRecord(Buffer.from(text))).toBeUndefined());
});

describe('parseBody', () => {
  test('returns the value of the body with the key', async () => {
    expect(await parseBody(bytesOf('k', { a: [1] }), 'k')).toEqual({ value: { a: [1] } });
    expect(await parseBody(Buffer.from('{"body":"k"}'), 'k')).toEqual({ value: undefined });
    expect(await parseBody(bytesOf('k', 1), 'other')).toBeUndefined();
    expect(await parseBody(Buffer.from('{"body":"k","value":{"a":}'), 'k')).toBeUndefined();
  });

  test('does not parse a body with too many values', async () => {
    const [large, small] = [bytesOf('k', listOf(MAX_BODY_VALUES)), bytesOf('k', listOf(MAX_BODY_VALUES - 5))];
    const lengths = watchParsing();
    expect(await parseBody(large, 'k')).toEqual({ value: TOO_LARGE });
    expect(Math.max(...lengths)).toBeLessThan(10);
    expect(await parseBody(small, 'k')).toEqual({ value: listOf(MAX_BODY_VALUES - 5) });
  });

  test('decodes and parses a large body in turns of the event loop of their own', async () => {
    const bytes = bytesOf('k', 'x'.repeat(300_000));
    let turn = 0;
    let next = setImmediate(function tick() {
      turn++;
      next = setImmediate(tick);
    });
    const turns: number[] = [];
    const { parse } = JSON;
    const decode = bytes.toString.bind(bytes);
    vi.spyOn(bytes, 'toString').mockImplementation((encoding, ...part) => {
      if (part.length === 0) turns.push(turn);
      return decode(encoding, ...part);
    });
    vi.spyOn(JSON, 'parse').mockImplementation((text) => {
      if (text.length > 1_000) turns.push(turn);
      return parse(text) as unknown;
    });
    await parseBody(bytes, 'k');
    clearImmediate(next);
    const [decoded = 0, parsed = 0] = turns;
    expect(turns).toHaveLength(2);
    expect(parsed).toBeGreaterThan(decoded);
  });
});

describe('a journal', () => {
  test('is opened without parsing its bodies', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    appendFileSync(
      folder.file('.jsonl'),
      Buffer.concat([bytesOf('big', listOf(200_000)), Buffer.from('\n')]),
    );
    const lengths = watchParsing();
    const journal = await folder.store().open(ID);
    expect(journal.lines).toEqual([line(0)]);
    expect(Math.max(...lengths)).toBeLessThan(10_000);
    expect(await journal.readBody('big')).toHaveLength(200_000);
  });

  test('reports a damaged body once, when it is read, and has it no more', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    appendFileSync(folder.file('.jsonl'), '{"body":"torn","value":{"a":{"b":1}\n');
    const journal = await folder.store().open(ID);
    expect(await journal.readBody('torn')).toBeUndefined();
    expect(await journal.readBody('torn')).toBeUndefined();
    expect(folder.problems).toEqual(['A damaged part of the history was skipped.']);
    expect(await journal.readBody('0')).toBe('body');
  });

  test('does not take a body whose end is still to be written for a whole one', async () => {
    const folder = new StoreFolder();
    await fill(folder, 1);
    appendFileSync(folder.file('.jsonl'), '{"body":"late","value":{"a":{"b":1}');
    const journal = await folder.store().open(ID);
    expect(await journal.readBody('late')).toBeUndefined();
    appendFileSync(folder.file('.jsonl'), '}}\n');
    expect(await journal.readBody('late')).toEqual({ a: { b: 1 } });
    expect(folder.problems).toEqual([]);
  });
});
