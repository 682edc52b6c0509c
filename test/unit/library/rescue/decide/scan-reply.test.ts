import { describe, expect, it } from 'vitest';
import { MOST_CALLS } from '../../../../../src/library/rescue/core/rescue-format';
import { RescueContext } from '../../../../../src/library/rescue/core/rescue-context';
import { ToolIndex } from '../../../../../src/library/rescue/core/tool-index';
import { collectParts, toReport } from '../../../../../src/library/rescue/decide/build-report';
import { findOpeners, scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import { Settler } from '../../../../../src/library/rescue/decide/settle-candidates';
import { RESCUE_FORMATS } from '../../../../../src/library/rescue/formats';
import { DIALECTS } from '../../../../../src/library/rescue/formats/dialects';
import { ReplyWalk } from '../../../../../src/library/rescue/walk/reply-walk';
import type { RescueReport } from '../../../../../src/types';
import { fc, runs, textLength } from '../../../../support/arbitrary/properties';
import { toolsOf } from '../rescue-fixtures';

const CALL = '{"name": "get_weather", "arguments": {"city": "Ghent"}}';
const TOOLS = [...toolsOf('weather'), ...toolsOf('coding')];

const SHAPES: Record<string, string> = {
  prose: 'The "quick" fox (it\'s brown) `jumps`.\n\n',
  braces: '{',
  brackets: '[',
  quotes: '"',
  backticks: '`',
  'runs of backticks': '` `` ',
  'inline code without a line break': '`a` ',
  fences: '```\n',
  'fences with JSON': '```json\n{"a":"\n',
  'block quotes': '> {\n',
  'opening tags': '<tool_call>',
  'function tags': '<function=a>',
  'tags with open JSON': '<tool_call>{"a":"b","c":"',
  'tags with far quotes': '<tool_call>{a:"z',
  'closed tags with far quotes': '<tool_call>{a:"z</tool_call>',
  'results that never close': '<tool_response>',
  'open reasoning': '<think>',
  'closed reasoning': '<think>a</think>',
  'orphan closers': '</think>',
  'nested objects': '{"a":',
  'nested lists of objects': '[{"a":',
  'open strings': '{"a":"',
  'open single quotes': "{'a':'b",
  'open comments': '{/*',
  'line comments': '{"a"://\n',
  escapes: '{"a":"\\',
  'blanks after a brace': `{${' '.repeat(99)}`,
  code: 'f(a){ return {a: b, c: [1,{d: "x"}]}; }\n',
  records: '{"id":1,"name":"Ana","tags":["a","b"]},',
  calls: `<tool_call>${CALL}</tool_call>\n`,
  'bare calls': `${CALL}\n`,
  'calls closed by another tag': `<tool_call>${CALL}</think>`,
  'calls of an unknown tool': '{"name":"get_wether","arguments":{"a":1}}\n',
};

const stepsOf = (piece: string, length: number, ending: string): number => {
  const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + ending;
  return scanReply(text, TOOLS, {}).steps;
};

/** Parts of answers, and what the rescue removes from them although no call begins with it. */
const PARTS = [
  'Take the bus',
  'all',
  'analysis',
  'We know it.',
  'assistantfinal',
  'Sunny',
  ' ',
  '\n',
  '>',
  '<',
  '</s>',
  '<|im_end|>',
  '<br>',
  '>>>',
];

/** The report by the walk, which looks at every place where something may begin. */
function reportByWalk(text: string, formats: readonly string[] | undefined): RescueReport {
  const context = new RescueContext(text, { tools: new ToolIndex(TOOLS), dialects: DIALECTS });
  const openers = findOpeners(formats);
  const starts = openers.search(text, context.tools.names);
  const walked = new ReplyWalk(context, openers, starts).run();
  const parts = collectParts(context, new Settler(context, false).settle(walked), walked);
  return toReport(text, DIALECTS, parts);
}

describe('scanReply', () => {
  it('returns the same report as the walk for a text without calls', () => {
    const texts = fc.array(fc.constantFrom(...PARTS), { maxLength: 6 }).map((parts) => parts.join(''));
    const formats = fc.constantFrom(undefined, ['hermes-json']);
    fc.assert(
      fc.property(texts, formats, (text, ids) => {
        expect(scanReply(text, TOOLS, { formats: ids }).report).toEqual(reportByWalk(text, ids));
      }),
      { numRuns: runs(10_000) },
    );
  });

  it.each(Object.keys(SHAPES))('takes linear time: %s', (shape) => {
    const piece = SHAPES[shape] ?? '';
    const length = textLength(60_000);
    for (const ending of ['', '", %', '}}']) {
      const [half, whole] = [stepsOf(piece, length / 2, ending), stepsOf(piece, length, ending)];
      expect(whole / half).toBeLessThan(2.6);
      expect(whole).toBeLessThan(length * 8);
    }
  });

  it.each([
    ['equal', () => CALL],
    ['different', (index: number) => `{"name":"get_weather","arguments":{"city":"${index}"}}`],
  ])('finds five thousand %s calls, and none where there are more', (_title, toCall) => {
    const toText = (count: number): string =>
      Array.from({ length: count }, (_, index) => `<tool_call>${toCall(index)}</tool_call>\n`).join('');
    const { report } = scanReply(toText(5_000), TOOLS, {});
    expect(new Set(report.calls.map(({ id }) => id)).size).toBe(5_000);
    expect(report.content).toBe('');
    const more = scanReply(toText(5_001), TOOLS, {}).report;
    expect([more.calls.length, more.rejected.map(({ reason }) => reason)]).toEqual([0, ['too-large']]);
  });

  it.each([
    [
      'calls',
      (index: number) => `<tool_call>{"name":"get_weather","arguments":{"city":"${index}"}}</tool_call>`,
    ],
    [
      'calls of other tools',
      (index: number) => `<tool_call>{"name":"other${index}","arguments":{}}</tool_call>`,
    ],
    [
      'damaged calls',
      (index: number) => `<tool_call>{"name":"get_weather","arguments":{"city":${index}x}</tool_call>`,
    ],
  ])('reads no further than the limit of %s', (_title, toCall) => {
    const workOn = (count: number): number => {
      const text = Array.from({ length: count }, (_, index) => toCall(100_000 + index)).join('\n');
      return scanReply(text, TOOLS, {}).steps - text.length;
    };
    const most = workOn(5_001);
    expect(workOn(20_000)).toBeLessThanOrEqual(most + 100_000);
  });

  it.each([
    ['hermes-json', '<tool_call>', '[', CALL, ','],
    ['hermes-json', '<tool_call>', '', CALL, '\n'],
    ['mistral-args', '[TOOL_CALLS]', '', '[TOOL_CALLS]get_weather[ARGS]{"city":"Oslo"}', ''],
    ['qwen-xml', '<tool_call>', '', '<function=get_weather><parameter=city>Oslo</parameter></function>', ''],
  ])('ends one reading at the first call too many: %s %s%s', (id, opener, bracket, call, separator) => {
    const count = 6_000;
    const head = call.startsWith(opener) ? '' : opener;
    const text = `${head}${bracket}${Array.from({ length: count }, () => call).join(separator)}`;
    const context = new RescueContext(text, { tools: new ToolIndex(TOOLS), dialects: DIALECTS });
    const reading = RESCUE_FORMATS.find((format) => format.id === id)?.parse(context, 0, opener);
    expect(reading?.kind === 'calls' && reading.calls.length).toBe(MOST_CALLS + 1);
  });

  it('does not overflow the stack on deep nesting', () => {
    for (const piece of ['{"a":', '[', '<think>', '[{"name":"get_weather","arguments":{"city":']) {
      expect(() => scanReply(piece.repeat(200_000), TOOLS, {})).not.toThrow();
    }
  });

  it('reports repeated damage at most once', () => {
    const { report } = scanReply('<tool_call>{%'.repeat(50), TOOLS, {});
    expect(report.rejected.length).toBeLessThanOrEqual(1);
  });

  it('reports a repeated damaged call once, and reads on after the last repetition', () => {
    const damaged = '<tool_call>{"name":"get_weather","arguments":{"city":Ghent}}</tool_call>\n';
    const loop = damaged.repeat(500);
    const other = damaged.replace('Ghent', 'Bruges');
    const { report } = scanReply(`So:\n${loop}${other}<tool_call>${CALL}</tool_call>`, TOOLS, {});
    const places = report.rejected.map(({ start, end }) => [start, end]);
    const from = 'So:\n'.length;
    expect(places).toEqual([
      [from, from + loop.length - 1],
      [from + loop.length, from + loop.length + other.length - 1],
    ]);
    expect(report.calls).toHaveLength(1);
  });
});
