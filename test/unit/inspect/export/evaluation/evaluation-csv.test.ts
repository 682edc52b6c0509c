import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import type { ExportedEvaluation } from '../../../../../src/inspect';
import { evaluationToCsv, summarizeEvaluation } from '../../../../../src/inspect';
import { exportedOf } from '../../../../support/evaluation/exported';

const read = (evaluation: ExportedEvaluation): Record<string, string>[] => {
  const { data, errors } = Papa.parse<Record<string, string>>(evaluationToCsv(evaluation), {
    header: true,
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  return data;
};

describe('evaluationToCsv', () => {
  test('has a line for each case, and numbers that stay numbers', () => {
    const evaluation = exportedOf('x');
    const lines = read(evaluation);
    expect(lines).toHaveLength(12);
    const { low, high, ...line } = lines[1] ?? {};
    expect(line).toEqual({
      row: '1',
      name: 'x1',
      lane: 'b',
      label: 'x-b',
      gate: 'lost',
      passed: '3',
      failed: '6',
      no_verdict: '1',
      not_run: '0',
      native: '9',
      rescued: '0',
      malformed: '0',
      none: '0',
      answer: '0',
      no_reply: '1',
      flaky: 'true',
      message: 'x',
    });
    expect([Number(low), Number(high)]).toEqual([expect.closeTo(0.1206, 4), expect.closeTo(0.6458, 4)]);
    expect(evaluationToCsv(evaluation)).toMatch(/^row,name,.*,message\r\n1,x1,a,x-a,met,10,0,/);
  });

  test('keeps quotes, commas and line ends within a cell', () => {
    const name = 'a "b", c\r\nd';
    expect(read(exportedOf(name))[0]).toMatchObject({ name: `${name}1`, label: `${name}-a` });
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\uFF1D1'])(
    'puts an apostrophe before a text that a spreadsheet would run: %j',
    (text) => {
      expect(read(exportedOf(text))[1]).toMatchObject({ name: `'${text}1`, message: `'${text}` });
    },
  );

  test('says of nothing that it passed or failed without expectations', () => {
    const { rows, lanes, samples, ...more } = exportedOf('x');
    const summary = summarizeEvaluation({ rows, lanes, repeat: 10 }, samples, { isEnded: true });
    expect(read({ ...more, rows, lanes, samples, gates: undefined, summary })[0]).toMatchObject({
      gate: '',
      passed: '',
      failed: '',
      low: '',
      native: '10',
    });
  });
});
