// Exports of evaluations, also of some whose names and messages are all hostile.
import { describe, expect, test } from 'vitest';
import type { ExportedEvaluation } from '../../../../../src/inspect';
import {
  evaluationToHtml,
  evaluationToJson,
  evaluationToMarkdown,
  summarizeEvaluation,
} from '../../../../../src/inspect';
import { exportedOf } from '../../../../support/evaluation/exported';
import { caseOf, rowsOf } from '../../../../support/evaluation/samples';
import { HOSTILE, outsideOfCode, parsePage } from '../../../../support/hostile-markup';

const INFO = { madeBy: 'Provider Playground 0.1.0', madeAt: '2026-01-01T00:00:00.000Z' };
const plain = exportedOf('x', ({ repeat }) => ({ message: repeat < 6 ? 'city is "Bergen"' : 'no call' }));
const hostile = exportedOf(HOSTILE);

const markdownOf = (evaluation: ExportedEvaluation): string => evaluationToMarkdown(evaluation, INFO);
const headings = (text: string, level: string): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith(`${level} `) ? [line.slice(level.length + 1)] : []));
/** Cells of the line of a table that begins with this cell. */
const cellsOf = (text: string, first: string): string[] =>
  (text.split('\n').find((line) => line.startsWith(`| ${first} |`)) ?? '').split(' | ');

/** Many rows that all fail in their only lane. */
function failing(count: number): ExportedEvaluation {
  const rows = rowsOf(count);
  const samples = rows.flatMap(({ id }) => caseOf('a', id, [0, 1]));
  const lanes = plain.lanes.slice(0, 1);
  const plan = { rows, lanes, repeat: 1, gates: { case: 1 } };
  const { baselineAt: _none, ...more } = plain;
  const summary = summarizeEvaluation(plan, samples, { isEnded: true });
  return { ...more, rows, lanes, repeat: 1, gates: plan.gates, summary, samples };
}

describe('an evaluation as Markdown', () => {
  const text = markdownOf(plain);

  test('has the lanes, who is better, what changed, warnings, and the cases that fail', () => {
    expect(headings(text, '#')).toEqual(['Evaluation of x']);
    expect(headings(text, '##')).toEqual([
      'Result',
      'Failing cases (5)',
      'Cases without a verdict (1)',
      'Settings',
    ]);
    expect(headings(text, '###').slice(0, 7)).toEqual([
      'Lanes',
      'Comparison',
      'Since the baseline',
      'Rows since the baseline',
      'Changed rows',
      'Warnings',
      'x1, x-b: 3 of 9 passed; before: 10 of 10',
    ]);
    expect(text).toMatch(/^- \*\*x-b\*\* is 67 points worse than x-a \(5 rows, .*\*\*not decided\*\*/m);
    expect(text).toContain('- **x-a** fixed: `x1`, `x2`, `x3`, `x4`, `x5`, `x6`\n');
    expect(text).toContain('- Samples: `120: 75 passed, 30 failed, 15 no verdict, 0 not run`\n');
  });

  test('has the numbers of each lane', () => {
    const head = cellsOf(text, 'Lane');
    const lane = cellsOf(text, '`x-b`');
    const figure = (name: string): string | undefined => lane[head.indexOf(name)];
    expect(figure('Required')).toBe('not met: mean below 95 %, 5 rows below 90 %');
    expect(figure('Passed')).toBe('33 % (15 of 45; 25 to 50 % with those that have no verdict)');
    expect(figure('95 % interval')).toBe('9 to 72 %');
    expect([figure('Native'), figure('Rescued'), figure('No reply')]).toEqual(['45', '0', '15']);
    expect([figure('pass^3'), figure('pass^10')]).toEqual(['1 % of 5 rows', '–']);
    expect(figure('Tokens')).toBe('not reported');
  });

  test('groups the samples of a case that failed alike', () => {
    expect(text).toContain(
      '```\n4 of 10 samples: no call\n2 of 10 samples: city is "Bergen"\n1 of 10 samples without a verdict: no call\n```',
    );
  });

  test('tells lanes with the same label apart', () => {
    const lanes = plain.lanes.map((lane) => ({ ...lane, label: 'qwen3' }));
    expect(markdownOf({ ...plain, lanes })).toContain('**b: qwen3** is 67 points worse than a: qwen3');
  });

  test('says how many cases it leaves out', () => {
    const many = markdownOf(failing(112));
    expect(headings(many, '##')).toContain('Failing cases (112)');
    expect(many.match(/0 of 1 passed/g)).toHaveLength(100);
    expect(many).toContain('- and 12 more, which the export as CSV has\n');
    expect(markdownOf(failing(100))).not.toContain('which the export as CSV has');
  });

  test('says that without expectations there are no rates', () => {
    const { rows, lanes, samples } = plain;
    const summary = summarizeEvaluation({ rows, lanes, repeat: 10 }, samples, { isEnded: true });
    const counted = markdownOf({ ...plain, gates: undefined, summary });
    expect(counted).toContain('without expectations there are no rates');
    expect(counted).toContain('`120: 105 replies, 15 no verdict, 0 not run`');
    expect(cellsOf(counted, 'Lane')).not.toContain('Passed');
    expect(headings(counted, '##')).not.toContain('Failing cases (5)');
  });

  test('keeps hostile texts within code', () => {
    const outside = outsideOfCode(markdownOf(hostile));
    expect(outside).toContain('## Failing cases (5)');
    expect(outside).not.toMatch(/<(\/pre|script|img)|https?:|www\.|(^|[^\\])[![]\[|\]\(|@everyone/);
  });

  test.each(['a|b', String.raw`a\|b`, String.raw`a](x)\\|b`, '`|`'])(
    'has as many cells in each line of a table as in its head, whatever a name: %s',
    (name) => {
      const tables = markdownOf(exportedOf(name)).split(/\n\n/);
      const counts = tables
        .filter((block) => block.startsWith('| '))
        .map((block) => block.split('\n').map((line) => line.match(/(?:\\.|[^|\\])+/g)?.length));
      expect(counts).toHaveLength(3);
      for (const [head, ...lines] of counts) expect(lines.every((count) => count === head)).toBe(true);
    },
  );
});

describe('an evaluation as a page', () => {
  test('has no script, link or external resource, and shows hostile texts as they are', () => {
    const page = parsePage(evaluationToHtml(hostile, INFO, 'de'));
    expect(page.querySelectorAll('script, a, img, link, iframe, object, form, input, base')).toHaveLength(0);
    const meta = page.querySelector('meta[http-equiv]')?.getAttribute('content');
    expect(meta).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(page.querySelector('html')?.getAttribute('lang')).toBe('de');
    expect(page.body.textContent).toContain('<script>alert(1)</script>');
  });

  test('has the same parts as the Markdown', () => {
    const page = parsePage(evaluationToHtml(plain, INFO, 'en'));
    const found = [...page.querySelectorAll('h2, h3')].map(({ textContent }) => textContent);
    const written = markdownOf(plain)
      .split('\n')
      .flatMap((line) => /^###? (.*)/.exec(line)?.[1] ?? []);
    expect(found).toEqual(written);
    expect(page.querySelector('strong')?.textContent).toBe('x-b');
  });

  test('draws the interval of each lane with its rate and what is required', () => {
    const page = parsePage(evaluationToHtml(plain, INFO, 'en'));
    const drawn = [...page.querySelectorAll('svg')].map((svg) =>
      [...svg.querySelectorAll('path')].map((path) => path.getAttribute('d')),
    );
    expect(drawn).toEqual([
      ['M0 7H140', 'M85.4 7H140.0', 'M140.0 2V12', 'M133.0 0V14'],
      ['M0 7H140', 'M12.1 7H101.5', 'M46.7 2V12', 'M133.0 0V14'],
    ]);
  });
});

describe('an evaluation as JSON', () => {
  test('has every count and number, and what the sentences say of them', () => {
    const parsed: unknown = JSON.parse(evaluationToJson(plain, INFO));
    const { cases, lanes, ...counts } = plain.summary;
    expect(parsed).toMatchObject({ kind: 'evaluation', format: 1, ...INFO, title: 'x', gates: plain.gates });
    expect(parsed).toMatchObject(JSON.parse(JSON.stringify({ ...counts, lanes, cases })) as object);
    expect(parsed).toMatchObject({
      lanes: [{ connection: 'x', settings: { seed: 7 } }, { model: 'x' }],
      comparisons: [{ sentence: expect.stringMatching(/^x-b is 67 points worse than x-a/) as unknown }],
    });
  });

  test('names the row of each case and groups its messages, one case a line', () => {
    const text = evaluationToJson(plain, INFO);
    const line = text.split('\n').find((one) => one.includes('{"rowId":"2","rowName":"x2","laneId":"b"'));
    expect(JSON.parse((line ?? '').trim().replace(/,$/, ''))).toMatchObject({
      failed: 6,
      messages: [
        { verdict: 'failed', message: 'no call', samples: 4 },
        { verdict: 'failed', message: 'city is "Bergen"', samples: 2 },
        { verdict: 'no-verdict', message: 'no call', samples: 1 },
      ],
    });
  });

  test('without a case is whole', () => {
    const rows: ExportedEvaluation['rows'] = [];
    const { lanes } = plain;
    const summary = summarizeEvaluation({ rows, lanes, repeat: 1 }, [], { isEnded: true });
    expect(JSON.parse(evaluationToJson({ ...plain, rows, summary, samples: [] }, INFO))).toMatchObject({
      cases: [],
    });
  });
});
