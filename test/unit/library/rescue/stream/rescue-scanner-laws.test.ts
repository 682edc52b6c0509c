import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { RescueScanner } from '../../../../../src/library/rescue/stream/rescue-scanner';
import type { RescuedCall, RescueReport } from '../../../../../src/types';
import { runs, textLength } from '../../../../support/arbitrary/properties';
import { createRandom } from '../../../../support/arbitrary/random';
import { CASES, FORMAT_IDS, sample, SEED, write } from '../law-support';
import { toolsOf } from '../rescue-fixtures';
import type { CorpusCase } from '../rescue-fixtures';

const withoutIds = (report: RescueReport): object => ({
  ...report,
  calls: report.calls.map((call) => ({ ...call, id: '' })),
});

const PROSE = `\n${'And that is what there is to say about it, as far as anybody knows today. '.repeat(6)}`;

interface Streamed {
  given: string;
  rest: string;
  report: RescueReport;
}

function stream(text: string, item: CorpusCase, lengths: (index: number) => number): Streamed {
  const scanner = new RescueScanner(toolsOf(item.tools));
  const given: string[] = [];
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const end = at + Math.max(1, lengths(index));
    given.push(scanner.feed(text.slice(at, end)));
    at = end;
  }
  return { given: given.join(''), ...scanner.finish() };
}

/** The text without the calls. */
function withoutMarked(text: string, calls: readonly RescuedCall[]): string {
  let left = '';
  let from = 0;
  for (const { start, end } of calls) {
    left += text.slice(from, start);
    from = end;
  }
  return left + text.slice(from);
}

/** White space between two calls may be emitted or cut. */
const unspaced = (shown: string): string => shown.replaceAll(/\s/g, '');

/** Returns the laws that do not hold; each must hold however the text is cut into chunks. */
function check(text: string, item: CorpusCase, lengths: (index: number) => number): string[] {
  const whole = rescueToolCalls(text, toolsOf(item.tools));
  const { given, rest, report } = stream(text, item, lengths);
  const shown = given + rest;
  const isMarked = whole.calls.every(({ evidence }) => evidence === 'marker');
  const laws: Record<string, boolean> = {
    'the report equals that of the whole text':
      JSON.stringify(withoutIds(report)) === JSON.stringify(withoutIds(whole)),
    'no text is lost': shown.length >= withoutMarked(text, whole.calls).length && shown.length <= text.length,
    'no call with a marker is emitted':
      !isMarked || unspaced(shown) === unspaced(withoutMarked(text, whole.calls)),
  };
  return Object.keys(laws).filter((law) => !laws[law]);
}

const findBad = (
  items: readonly CorpusCase[],
  lengthsOf: (item: CorpusCase) => (index: number) => number,
): object[] =>
  items
    .flatMap((item) =>
      [item.text, item.text + PROSE].map((text) => ({
        id: item.id,
        broken: check(text, item, lengthsOf(item)),
      })),
    )
    .filter(({ broken }) => broken.length > 0);

describe(`RescueScanner, on replies in chunks (seed ${SEED})`, () => {
  it('keeps its invariants in chunks of one character', { timeout: 60_000 }, () => {
    expect(findBad(sample(CASES, runs(600)), () => () => 1)).toEqual([]);
  });

  it('keeps its invariants in chunks of random lengths', { timeout: 60_000 }, () => {
    const bad = findBad(sample(CASES, runs(1500)), ({ text }) => {
      const random = createRandom(SEED + text.length);
      return () => 1 + random.below(random.chance(0.5) ? 6 : 60);
    });
    expect(bad).toEqual([]);
  });

  it('keeps its invariants in two chunks', { timeout: 60_000 }, () => {
    const bad = sample(CASES, runs(200)).flatMap((item) => {
      const cuts = sample(
        Array.from({ length: item.text.length }, (_, at) => at),
        20,
      );
      return cuts
        .filter((at) => check(item.text, item, (index) => (index === 0 ? at : Infinity)).length > 0)
        .map((at) => [item.id, at]);
    });
    expect(bad).toEqual([]);
  });
});

const LONG = 'A longer text, which holds (brackets), "quotes", a < b, and more\n'.repeat(60);
const WRITE_FILE = { name: 'write_file', arguments: { path: 'notes.md', content: LONG } };

/** For formats that cannot express every character. */
const PLAIN = { name: 'write_file', arguments: { path: 'notes.md', content: LONG.replaceAll(/[<>"]/g, '') } };

describe('RescueScanner on a call with a long argument', () => {
  const tools = toolsOf('coding');

  it.each(FORMAT_IDS)('does not emit any part of it: %s', (format) => {
    const call = write([WRITE_FILE], format) ?? write([PLAIN], format) ?? '';
    const text = `I will write it.\n\n${call}`;
    const scanner = new RescueScanner(tools);
    const given = text
      .match(/[^]{1,7}/g)
      ?.map((chunk) => scanner.feed(chunk))
      .join('');
    const { report, rest } = scanner.finish();
    expect(report.calls).toHaveLength(1);
    expect(given).toContain('I will write it.');
    expect((given ?? '') + rest).not.toContain('notes.md');
  });
});

describe('RescueScanner on single characters', () => {
  const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Ghent"}}</tool_call>\n';
  const SHAPES: Record<string, string> = {
    prose: 'The "quick" fox (it\'s brown) `jumps` over [1] and <b>2</b>.\n\n',
    calls: CALL,
    'calls in prose': `Now this: ${CALL}and so on.\n`,
    openers: '<tool_call>',
    'openers that are mentioned': 'the <tool_call> tag, ',
    'openers with open JSON': '<tool_call>{"a":"b","c":"',
    braces: '{\n',
    'open objects': '{"a":',
    'objects of data': '{"id": 1, "name": "Ana"},\n',
    brackets: '[',
    backticks: '` ',
    fences: '```json\n{"a": 1}\n```\n',
    'open fences': '```\n',
    reasoning: '<think>a</think>\n',
    'open reasoning': '<think>',
    'calls in reasoning': `<think>${CALL}</think>`,
    'names of tools': 'get_weather(',
    quotes: '> a\n',
    'line breaks': '\n',
  };

  const stepsOf = (piece: string, length: number): number => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const scanner = new RescueScanner(toolsOf('weather'));
    for (const character of text) scanner.feed(character);
    scanner.finish();
    return scanner.steps;
  };

  it.each(Object.keys(SHAPES))('takes linear time: %s', { timeout: 30_000 }, (shape) => {
    const long = textLength(20_000);
    const [half, whole] = [long / 2, long].map((length) => stepsOf(SHAPES[shape] ?? '', length));
    // held text is read again when its length has doubled, so where the text ends can double the work
    expect((whole ?? 0) / (half ?? 1)).toBeLessThan(3.2);
    expect(whole).toBeLessThan(long * 90);
  });
});
