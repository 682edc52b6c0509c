// What an agent is told of a stored run: bounded, the findings before the wire, and foreign text never as markup.
import { describe, expect, test } from 'vitest';
import type { ExportedRun } from '../../../../src/inspect';
import { explainRun } from '../../../../src/inspect';
import { rescueToolCalls } from '../../../../src/library';
import { HOSTILE, outsideOfCode } from '../../../support/hostile-markup';

const BROKEN = 'I look.\n<tool_call>{"name": "get_wether", "arguments": {"city": "Oslo"}}</tool_call>';
const TOOLS = [{ name: 'get_weather', parameters: { type: 'object', properties: {} } }];

const run = (text: string, more: Partial<ExportedRun> = {}): ExportedRun => ({
  title: 'Run',
  connectionId: 'local',
  connection: 'Local',
  model: 'tiny',
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 5,
  verdict: { kind: 'none', detail: '' },
  findings: [
    { severity: 'warning', what: 'The model called a tool that was not offered.', next: 'Rename it.' },
  ],
  raw: { content: text, toolCalls: [], usage: {}, attempts: 1 },
  rescue: rescueToolCalls(text, TOOLS),
  calls: [],
  tools: TOOLS,
  parameters: [],
  ledger: [],
  request: {
    method: 'POST',
    url: 'http://127.0.0.1/v1/chat',
    headers: {},
    body: `{"text":${JSON.stringify(text)}}`,
  },
  attempts: [
    {
      name: 'attempt-1',
      response: { status: 200, headers: {}, body: text, isComplete: true },
    },
  ],
  ...more,
});

describe('explainRun', () => {
  test('tells the findings, then what rescue left as text and why, then what came and what was sent', () => {
    const told = explainRun(run(BROKEN), 20_000);
    const places = [
      'called a tool that was not offered',
      'What rescue read',
      'get_wether',
      'Content',
      'Request',
    ];
    const at = places.map((place) => told.indexOf(place));
    expect(at).not.toContain(-1);
    expect(at).toEqual(at.toSorted((one, other) => one - other));
    expect(told).toContain('No call was read.');
  });

  test('shows no content of a reply of calls alone, and an empty one of a reply of nothing', () => {
    const raw = { content: '', toolCalls: [], usage: {}, attempts: 1 };
    const calls = [{ name: 'get_weather', arguments: { city: 'Oslo' }, source: 'native' as const }];
    const told = explainRun(run('', { raw, calls }), 20_000);
    expect(told).toContain('Tool call 1: get');
    expect(told).not.toContain('Content');
    expect(explainRun(run('', { raw }), 20_000)).toContain('Content');
  });

  test('stays within its limit whatever is stored, and names what it leaves out', () => {
    const long = `${BROKEN}\n${'x'.repeat(150_000)} the end`;
    const told = explainRun(run(long), 6_000);
    expect(told.length).toBeLessThan(6_500);
    expect(told).toContain('the end');
    expect(told).toContain('characters are left out here');
    const small = explainRun(run(long), 1_200);
    expect(small.length).toBeLessThan(1_500);
    expect(small).toMatch(/Left out, because there is no room for it here: .*Answer of attempt-1/);
    expect(small).toContain('called a tool that was not offered');
  });

  test('never lets foreign text be markup, cut or not', () => {
    for (const text of [HOSTILE, `${HOSTILE}\n\`\`\`\n`.repeat(400)])
      for (const most of [1_000, 5_000, 20_000]) {
        const outside = outsideOfCode(explainRun(run(text, { findings: [] }), most));
        expect(outside).not.toMatch(/<script|<img|\]\(/);
      }
  });
});
