import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import { RescueScanner } from '../../../../src/library/rescue/stream/rescue-scanner';
import type { RescuedCall, RescueReport } from '../../../../src/types';
import { kindsOf, PEER_CASES, toolsOf, toPlain } from './rescue-fixtures';
import type { PeerCase } from './rescue-fixtures';

const rescue = ({ text, tools, finish }: PeerCase): RescueReport =>
  rescueToolCalls(text, toolsOf(tools), { finishReason: finish });

const withoutIds = ({ calls, ...rest }: RescueReport): object => ({
  ...rest,
  calls: calls.map(({ id: _id, ...call }) => call),
});

const countSigns = (text: string): number => text.replaceAll(/\s/g, '').length;

const isMarked = ({ evidence }: RescuedCall): boolean => evidence === 'marker';

describe('rescueToolCalls, by the rules in the test suites of other projects', () => {
  it('has a unique id for every case', () => {
    expect(new Set(PEER_CASES.map(({ id }) => id)).size).toBe(PEER_CASES.length);
    const rules = new Set(PEER_CASES.map(({ id }) => id.slice(0, -3)));
    const casesOf = (rule: string): PeerCase[] => PEER_CASES.filter(({ id }) => id.startsWith(`${rule}-`));
    expect([...rules].filter((rule) => casesOf(rule).length < 1)).toEqual([]);
  });

  it.each(PEER_CASES)('$id: $text', (item) => {
    const { calls, content, rejected } = rescue(item);
    if (item.uncalled !== undefined) expect(calls.map(({ name }) => name)).not.toContain(item.uncalled);
    else expect(calls.map(toPlain)).toEqual(item.expected.map(toPlain));
    if (item.format !== 'none' && item.format !== 'mixed')
      for (const { format } of calls) expect(format).toBe(item.format);
    const repairs = calls.flatMap((call) => kindsOf(call.repairs));
    expect(repairs).toEqual(expect.arrayContaining(item.repairs ?? []));
    if (item.kind === 'clean' || item.kind === 'multi') expect(repairs).toEqual([]);
    if (item.remaining !== undefined) expect(content).toBe(item.remaining);
    if (item.reject !== undefined) expect(rejected.map(({ reason }) => reason)).toContain(item.reject);
    if (item.detail !== undefined)
      expect(rejected.map(({ detail }) => detail).join(' ')).toContain(item.detail);
    const paths = calls.flatMap(({ schemaIssues = [] }) => schemaIssues.map(({ path }) => path));
    expect(paths).toEqual(expect.arrayContaining(item.issues ?? []));
  });

  it.each([1, 7])(
    'reads the same from a stream in chunks of length %d, and emits no part of a call',
    (length) => {
      for (const item of PEER_CASES) {
        const whole = rescue(item);
        const ofCalls = whole.calls
          .filter(isMarked)
          .reduce((sum, { start, end }) => sum + countSigns(item.text.slice(start, end)), 0);
        const scanner = new RescueScanner(toolsOf(item.tools));
        let given = '';
        for (let at = 0; at < item.text.length; at += length)
          given += scanner.feed(item.text.slice(at, at + length));
        const { report, rest } = scanner.finish({ finishReason: item.finish });
        expect(withoutIds(report), item.id).toEqual(withoutIds(whole));
        expect(countSigns(given + rest), item.id).toBeLessThanOrEqual(countSigns(item.text) - ofCalls);
      }
    },
  );
});
