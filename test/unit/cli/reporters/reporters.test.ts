// The reports for CI services, with hostile text of a model in everything: well-formed, bounded, and nothing of it is obeyed.
import { Window } from 'happy-dom';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../../src/cli/evaluate/report';
import { toAnnotations, toSummary } from '../../../../src/cli/reporters/github';
import { toJunit } from '../../../../src/cli/reporters/junit';
import { cutMarkdown } from '../../../../src/cli/reporters/markdown';
import { toProblems } from '../../../../src/cli/reporters/problems';
import { groupMessages, summarizeEvaluation } from '../../../../src/inspect';
import type { JudgedSample } from '../../../../src/types';

const HOSTILE =
  '"]]> <script>&amp;\u0000\u001b[31m\ud800 %0A::error::x\r\n::warning file=a,line=1::y | `x` </failure>';

function toReport(count: number, message: string): Report {
  const rows = Array.from({ length: count }, (_each, index) => ({
    id: `r${index}`,
    name: index < 2 ? message.slice(0, 60) : `r${index}`,
  }));
  const samples = rows.flatMap(({ id }, index): JudgedSample[] => {
    if (index === 2)
      return [
        { rowId: id, laneId: 'a', repeat: 1, verdict: 'no-verdict', reason: 'infrastructure', message },
      ];
    if (index === 3) return [];
    const verdict = index === 4 ? 'passed' : 'failed';
    return [
      {
        rowId: id,
        laneId: 'a',
        repeat: 1,
        verdict,
        message,
        calls: message,
        outcome: 'native',
        timeMs: 1500,
        replyHash: id,
      },
    ];
  });
  const lanes = [
    {
      id: 'a',
      label: message,
      billing: 'unknown' as const,
      connection: message,
      model: message,
      settings: {},
    },
  ];
  const gates = { case: 0.9 };
  const summary = summarizeEvaluation({ rows, lanes, repeat: 1, gates }, samples, { isEnded: true });
  const exported = {
    title: 'x',
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 5,
    mode: 'chat' as const,
    repeat: 1,
    gates,
    lanes,
    rows,
    summary,
    samples,
  };
  const messages = groupMessages(samples);
  const failures = summary.cases
    .filter(({ failed }) => failed > 0)
    .map((one) => ({
      summary: one,
      messages: messages(one),
      samples: samples.filter(({ rowId }) => rowId === one.rowId),
      file: 'p/a:b,c%.playground.json',
      line: 7,
    }));
  const info = { madeBy: 'Provider Playground', madeAt: '2026-01-02T03:04:05Z' };
  return {
    info,
    exit: 1,
    reasons: [message],
    undecided: [],
    files: [{ path: 'p/a.playground.json', exported, messages, failures }],
  };
}

const parse = (xml: string) => {
  const { DOMParser } = new Window();
  return new DOMParser().parseFromString(xml, 'application/xml');
};

/** What readers of the common schema know: element → attributes and children. */
const SCHEMA: Record<string, { attributes: string[]; children: string[] }> = {
  testsuites: {
    attributes: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'],
    children: ['testsuite'],
  },
  testsuite: {
    attributes: [
      'name',
      'tests',
      'failures',
      'errors',
      'skipped',
      'time',
      'timestamp',
      'hostname',
      'id',
      'package',
      'file',
    ],
    children: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  properties: { attributes: [], children: ['property'] },
  property: { attributes: ['name', 'value'], children: [] },
  testcase: {
    attributes: ['name', 'classname', 'time', 'file', 'status', 'assertions'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { attributes: ['type', 'message'], children: [] },
  error: { attributes: ['type', 'message'], children: [] },
  skipped: { attributes: ['message'], children: [] },
};

describe('toJunit', () => {
  const xml = toJunit(toReport(6, HOSTILE));

  it('has only elements and attributes of the common schema, and characters of XML 1.0', () => {
    const all = [...parse(xml).querySelectorAll('*')];
    expect(all.length).toBeGreaterThan(10);
    for (const element of all) {
      const known = SCHEMA[element.tagName];
      expect(known, element.tagName).toBeDefined();
      expect(known?.attributes).toEqual(
        expect.arrayContaining([...element.attributes].map(({ name }) => name)),
      );
      expect(known?.children).toEqual(
        expect.arrayContaining([...element.children].map(({ tagName }) => tagName)),
      );
    }
    // oxlint-disable-next-line no-control-regex
    expect(xml).not.toMatch(/[\0-\u0008\u000b\u000c\u000e-\u001f]|[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  it('counts what it contains, with a name of its own for each row', () => {
    const [suite] = parse(xml).querySelectorAll('testsuite');
    const counted = Object.fromEntries(
      ['testcase', 'failure', 'error', 'skipped'].map((name) => [name, suite?.querySelectorAll(name).length]),
    );
    expect(counted).toEqual({ testcase: 6, failure: 3, error: 1, skipped: 1 });
    expect(['tests', 'failures', 'errors', 'skipped'].map((name) => suite?.getAttribute(name))).toEqual([
      '6',
      '3',
      '1',
      '1',
    ]);
    const names = [...(suite?.querySelectorAll('testcase') ?? [])].map((one) => one.getAttribute('name'));
    expect(new Set(names).size).toBe(6);
    expect(suite?.querySelector('failure')?.getAttribute('message')).toBe(
      '0 of 1 samples passed; 1 are required',
    );
  });

  it('bounds what a model wrote', () => {
    const [failure] = parse(toJunit(toReport(1, 'x'.repeat(100_000)))).querySelectorAll('failure');
    expect(failure?.textContent?.length).toBeLessThanOrEqual(4_001);
  });
});

describe('toAnnotations', () => {
  it('gives GitHub one command a line, whatever a model wrote', () => {
    const lines = toAnnotations(toReport(3, HOSTILE), 'sub/').trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatch(/^::error file=sub\/p\/a%3Ab%2Cc%25\.playground\.json,line=7,title=[^:]*::1 × /);
      expect(line).not.toMatch(/[\r\n]/);
    }
  });

  it('names ten at most, the last of which says how many more there are', () => {
    const lines = toAnnotations(toReport(40, 'm'), '').trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('::error::and 28 more rows');
    expect(toAnnotations(toReport(13, 'm'), '').trimEnd().split('\n')).toHaveLength(10);
  });
});

describe('toSummary', () => {
  it('is small enough to be shown, and closes the block in which it is cut', () => {
    const text = `a\n\`\`\`\`text\n${'é'.repeat(99)}\n`.repeat(3) + '```` not an end\n'.repeat(100_000);
    const cut = cutMarkdown(text, 100_000);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(100_000);
    expect(cut).toMatch(/\n````\n\nCut here: .*\n$/);
    expect(cutMarkdown('short', 10)).toBe('short');
  });

  it('shows what a model wrote as text, never as markup', () => {
    const text = toSummary(toReport(3, HOSTILE));
    const outsideCode = text
      .replaceAll(/^(`{3,})[^`\n]*\n[^]*?\n\1$/gm, '')
      .replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
    expect(text).toContain('<script>');
    expect(outsideCode).toContain('script');
    expect(outsideCode).not.toMatch(/(?<!\\)<|\0/);
  });
});

describe('toProblems', () => {
  it('names what failed at its line, one line each, whatever a model wrote', () => {
    const lines = toProblems(toReport(8, HOSTILE)).trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(new Set(lines.map((line) => line.split(': ')[0])).size).toBe(5);
    for (const line of lines) {
      expect(line).toMatch(/^p\/a:b,c%\.playground\.json:7:[1-5]: error: .*, lane a: 0 of 1 passed: 1 × /);
      expect(line.length).toBeLessThan(400);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    }
  });

  it('says how many more there are', () => {
    const lines = toProblems(toReport(500, 'No call was made.')).trimEnd().split('\n');
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe('and 297 more problems');
  });

  it('warns of samples that failed where the gate is met, and names the lost gate of a lane', () => {
    const report = toReport(8, 'No call was made.');
    const files = report.files.map(({ exported, failures, ...file }) => ({
      ...file,
      exported: {
        ...exported,
        gates: { case: 0, lane: 0.9 },
        summary: {
          ...exported.summary,
          lanes: exported.summary.lanes.map((lane) => ({ ...lane, gate: 'lost' as const, lostCases: 0 })),
        },
      },
      failures: failures
        .slice(0, 1)
        .map((one) => ({ ...one, summary: { ...one.summary, gate: 'met' as const } })),
    }));
    expect(toProblems({ ...report, files }).split('\n')).toEqual([
      'p/a:b,c%.playground.json:7:1: error: Lane a: not met: mean below 90 %',
      'p/a:b,c%.playground.json:7:2: warning: No call was made., lane a: 0 of 1 passed: 1 × No call was made.',
      '',
    ]);
  });
});
