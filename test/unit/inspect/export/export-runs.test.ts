// Exports of runs whose texts are all hostile: they must be shown, and have no effect.
import { describe, expect, test } from 'vitest';
import type { ExportedRun } from '../../../../src/inspect';
import { toHtml, toJson, toMarkdown, toReport } from '../../../../src/inspect';
import { fence } from '../../../../src/inspect/export/markdown';
import { HOSTILE, outsideOfCode, parsePage } from '../../../support/hostile-markup';

const INFO = { madeBy: 'Provider Playground 0.1.0', madeAt: '2026-01-01T00:00:00.000Z' };

const run = (text = HOSTILE, more: Partial<ExportedRun> = {}): ExportedRun => ({
  title: 'Lane 1',
  connectionId: 'local',
  connection: text,
  model: text,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1234,
  verdict: { kind: 'rescued', detail: text },
  findings: [{ severity: 'warning', what: text, next: text }],
  error: { title: text, what: text, why: text, next: text },
  raw: {
    content: text,
    toolCalls: [],
    usage: { promptTokens: 5 },
    attempts: 1,
    reasoning: text,
    finishReason: text,
  },
  calls: [{ name: text, arguments: { text }, source: 'rescued', format: text }],
  tools: [{ name: text, parameters: {} }],
  setup: {
    system: text,
    sampling: { stop: [text] },
    rescueToolCalls: true,
    raw: { [text]: text },
    limits: {},
    tools: [{ name: text, parameters: {} }],
    messages: [{ role: 'user', content: text }],
  },
  parameters: [{ key: 'stop', value: text, setIn: 'lane', way: 'sent', sentAs: text, sentValue: text }],
  ledger: [
    {
      attempt: 1,
      startedAt: 0,
      endMs: 5,
      errorCode: text,
      endedBy: 'network',
      decision: 'stop',
      reason: text,
    },
  ],
  request: {
    method: 'POST',
    url: `http://h/v1/chat/completions?${text}`,
    headers: { 'x-title': text },
    body: text,
  },
  attempts: [
    { name: 'attempt-1' },
    { name: 'attempt-2', response: { status: 200, headers: { 'x-a': text }, body: text, isComplete: false } },
  ],
  ...more,
});

const longCall = { name: '</summary><script>', arguments: 'x'.repeat(3_000), source: 'rescued' };

describe('an export', () => {
  test('as a page contains all texts, and no script, link or external resource', () => {
    const page = parsePage(toHtml([run(), run()], INFO, 'de'));
    expect(
      page.querySelectorAll('script, a, img, link, iframe, object, form, input, base, svg'),
    ).toHaveLength(0);
    const attributes = [...page.querySelectorAll('*')].flatMap(({ attributes: all }) =>
      [...all].map(({ name }) => name),
    );
    expect([...new Set(attributes)].toSorted()).toEqual(['charset', 'content', 'http-equiv', 'lang', 'name']);
    expect(page.querySelector('meta[http-equiv]')?.getAttribute('content')).toContain("default-src 'none'");
    const texts = [...page.querySelectorAll('pre')].map(({ textContent }) => textContent);
    expect(texts.some((text) => text === HOSTILE || text === `\n${HOSTILE}`)).toBe(true);
    expect(page.querySelectorAll('section')).toHaveLength(2);
    expect(page.querySelector('html')?.getAttribute('lang')).toBe('de');
  });

  test('as Markdown keeps every text within its fence and has no links', () => {
    const text = toMarkdown([run(), run()], INFO);
    const outside = outsideOfCode(text);
    expect(outside).not.toMatch(/<(script|img)|https?:|www\.|(^|[^\\])[![]\[|@everyone/);
    expect(text).toContain(HOSTILE);
    expect(outside).toContain('## Lane 1');
  });

  test('as Markdown names no language beside a text that would take seconds to colour', () => {
    expect(fence('x'.repeat(100_000), 'json')).toMatch(/^```json\n/);
    expect(fence('x'.repeat(100_001), 'json')).toMatch(/^```\n/);
  });

  test('as Markdown titles a long text without interpreting its markup', () => {
    const text = toMarkdown([run('a', { calls: [longCall] })], INFO);
    expect(text).toContain(
      '<details><summary>Tool call 1: &lt;/summary&gt;&lt;script&gt; (rescued)</summary>',
    );
    const broken = { ...longCall, name: 'get\n\n![i](https://evil.example/p.png)\r\n\r\n[x](y)' };
    expect(toMarkdown([run('a', { calls: [broken] })], INFO)).toContain(
      '<details><summary>Tool call 1: get ![i](https://evil.example/p.png) [x](y) (rescued)</summary>\n',
    );
  });

  test('as Markdown escapes a vertical bar in tables only', () => {
    const text = toMarkdown([run('a|b'), run('a|b')], INFO);
    expect(text).toContain('\n- Model: `a|b`\n');
    expect(text).toContain(String.raw`a\|b`);
    expect(toReport(run('a|b'), INFO, 'c|d')).toContain('- Server: `c|d`');
  });

  test('as Markdown ends no cell within a text, by any reading of several backslashes', () => {
    const names = [0, 1, 2, 3].map(
      (count) => `${'\\'.repeat(count)}|[x](https://evil.example)${'\\'.repeat(count)}`,
    );
    const calls = names.map((name) => ({ name, arguments: {}, source: 'native' }));
    const rows = toMarkdown([run('m', { calls }), run('m', { calls })], INFO).match(/^\|.*\|$/gm) ?? [];
    const outcomes = rows.slice(0, 4);
    expect(outcomes[2]).toContain('evil.example');
    const countCells = [/(?:\\.|[^|])+/g, /(?:\\\||[^|])+/g].map((cell) =>
      outcomes.map((row) => row.match(cell)?.length),
    );
    expect(countCells).toEqual([Array(4).fill(13), Array(4).fill(13)]);
  });

  test.each([
    [1, '(1 more byte arrived and is not kept)'],
    [2, '(2 more bytes arrived and are not kept)'],
  ])('says that %i bytes of a response were not kept', (omittedBytes, said) => {
    const response = { status: 200, headers: {}, body: '', isComplete: true, omittedBytes };
    expect(toMarkdown([run('m', { attempts: [{ name: 'attempt-1', response }] })], INFO)).toContain(said);
  });

  test('as JSON is complete', () => {
    const runs = [run(), run('plain')];
    expect(JSON.parse(toJson(runs, INFO))).toEqual({
      format: 'provider-playground-runs',
      version: 1,
      ...INFO,
      runs,
    });
  });

  test('of a long body says how much it leaves out', () => {
    const body = 'x'.repeat(300_000);
    const long = run('a', {
      attempts: [{ name: 'attempt-1', response: { status: 200, headers: {}, body, isComplete: true } }],
    });
    expect(toMarkdown([long], INFO)).toMatch(/… The rest is left out; the export as JSON has it\./);
    expect(toHtml([long], INFO, 'en').length).toBeLessThan(250_000);
    expect(toJson([long], INFO)).toContain(body);
  });
});

describe('an export of a comparison', () => {
  const setup = {
    system: 'Be brief.',
    sampling: { temperature: 0 },
    rescueToolCalls: true,
    limits: { maxSteps: 3 },
    tools: [],
    messages: [{ role: 'user' as const, content: 'Is it cold?' }],
  };
  const step = run('m', {
    setup,
    durationMs: 1_000,
    usage: { promptTokens: 10, completionTokens: 5, costUsd: 0.001 },
    calls: [{ name: 'get_weather', arguments: {}, source: 'native' }],
  });
  const last = run('m', {
    setup,
    durationMs: 500,
    firstTokenMs: 40,
    rates: { completionPerSecond: 12.34, source: 'server' },
    usage: { promptTokens: 20, completionTokens: 6, costUsd: 0.002 },
    calls: [],
    steps: [step],
  });
  const rowsOf = (...runs: ExportedRun[]): (string | undefined)[][] =>
    [...parsePage(toHtml(runs, INFO, 'en')).querySelectorAll('table:first-of-type tbody')]
      .slice(0, 1)
      .flatMap((body) => [...body.querySelectorAll('tr')])
      .map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent));

  test('has a row for each lane with the totals of its steps and its settings', () => {
    const settings = 'temperature: 0, rescueToolCalls: true';
    const sums = ['30 prompt, 11 completion', '1.5 s', '40 ms', '12.3', '2', '$0.003'];
    expect(rowsOf(last, step)).toEqual([
      ['Lane 1', 'm', 'm', 'rescued, m', 'get_weather', '2', ...sums, `${settings}, limits: {"maxSteps":3}`],
      expect.arrayContaining(['1', '10 prompt, 5 completion', '1.0 s', '', '$0.001', settings]),
    ]);
  });

  test('takes the totals of an agent run from its ending, unless it was interrupted', () => {
    const ending = { stopReason: 'answer', durationMs: 9_000, usage: { promptTokens: 77 } };
    const rows = rowsOf({ ...last, ending }, { ...last, ending: { ...ending, stopReason: 'interrupted' } });
    expect(rows.map((row) => row.slice(6, 8))).toEqual([
      ['77 prompt', '9.0 s'],
      ['30 prompt, 11 completion', '1.5 s'],
    ]);
  });

  test('has a section for each step, with the system prompt and the message that were sent', () => {
    const text = toMarkdown([last, step], INFO);
    expect(text.match(/^## .*$/gm)).toEqual(['## Lane 1, step 1: m', '## Lane 1, step 2: m', '## Lane 1: m']);
    expect(text).toContain('### System prompt\n\n```\nBe brief.\n```');
    expect(text).toContain('### Message\n\n```\nIs it cold?\n```');
  });

  test('says which parts were not the same, and where they are not known', () => {
    const tools = [{ name: 'get_time', parameters: {} }];
    const other = { ...last, setup: { ...setup, system: 'Be long.', tools, sampling: { temperature: 1 } } };
    expect(toMarkdown([last, other], INFO)).toContain(
      'so their figures do not compare: system prompt, tools.',
    );
    expect(toMarkdown([last, { ...other, setup: undefined }], INFO)).toContain(
      'It is not known what was sent in: Lane 1.',
    );
    const blank = { ...last, setup: { ...setup, system: ' ' } };
    expect(toMarkdown([blank, { ...blank, setup: { ...setup, system: '' } }], INFO)).not.toContain(
      'Not sent alike',
    );
  });
});

describe('a report', () => {
  const call = { name: 'get_weather', arguments: { city: 'Oslo' } };
  const written = run('m', {
    error: undefined,
    findings: [{ severity: 'warning', what: 'The call came as text.' }],
    calls: [{ ...call, source: 'rescued', format: 'hermes-json' }],
    rescue: {
      calls: [
        {
          ...call,
          id: '1',
          source: 'rescued',
          format: 'hermes-json',
          evidence: 'marker',
          rawName: 'get_weather',
          start: 0,
          end: 9,
          repairs: [],
        },
      ],
      content: '',
      rejected: [],
    },
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:8080/v1/chat/completions',
      headers: { authorization: 'Bearer ****' },
      body: '{"model":"m"}',
    },
    attempts: [
      { name: 'attempt-1', response: { status: 200, headers: {}, body: '{"choices":[]}', isComplete: true } },
    ],
  });

  test('has the server, the model, the request as a command, the answer and the expected call', () => {
    const report = toReport(written, INFO, 'llama-server b11669');
    expect(report).toContain('# The tool call of get\\_weather comes as text, not in tool\\_calls');
    expect(report).toContain('- Server: `llama-server b11669`');
    expect(report).toContain('- Model: `m`');
    expect(report).toContain('- Request: `POST /v1/chat/completions`');
    expect(report).toContain(`--header 'authorization: Bearer '"$LOCAL_API_KEY"`);
    expect(report).toContain('```\n{"choices":[]}\n```');
    expect(report).toContain(JSON.stringify(JSON.stringify(call.arguments)));
  });

  test('of a failure or a reply without a call says what was expected', () => {
    expect(toReport(run('m', { raw: undefined, calls: [] }), INFO, undefined)).toContain('A complete reply.');
    const none = run('m', { error: undefined, calls: [], tools: [{ name: 'get_weather', parameters: {} }] });
    const report = toReport(none, INFO, undefined);
    expect(report).toContain('# No tool call comes although tools were sent');
    expect(report).toContain('A call of one of the tools that were sent: `get_weather`.');
    expect(report).toContain('- Server: not told by the server');
  });

  test('of hostile texts keeps them within its fences', () => {
    const report = toReport(run(), INFO, HOSTILE);
    const outside = outsideOfCode(report);
    expect(outside).not.toMatch(/<(script|img)|https?:|www\.|@everyone/);
  });
});
