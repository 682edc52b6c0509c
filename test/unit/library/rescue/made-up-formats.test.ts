// A new format needs one file and one line in the registry. Shown with three made-up formats: their calls are read,
// repaired, rejected and streamed like those of an existing format of the same family.
import { describe, expect, it, vi } from 'vitest';
import type * as Registry from '../../../../src/library/rescue/formats/index';
import { formatToolCalls } from '../../../../src/library/rescue/format-tool-calls';
import { RescueScanner } from '../../../../src/library/rescue/stream/rescue-scanner';
import { kindsOf, rescue, toPlain, WEATHER } from './rescue-fixtures';

vi.mock('../../../../src/library/rescue/formats/index', async (importOriginal) => {
  const { RESCUE_FORMATS } = await importOriginal<typeof Registry>();
  const { jsonEnvelope } = await import('./made-up/json-envelope');
  const { argPairs } = await import('./made-up/arg-pairs');
  const { tomlFence } = await import('./made-up/toml-fence');
  // one line for each format
  return { RESCUE_FORMATS: [jsonEnvelope, argPairs, tomlFence, ...RESCUE_FORMATS] };
});

const GHENT = { name: 'get_weather', arguments: { city: 'Ghent' } };
const OSLO = { name: 'get_weather', arguments: { city: 'Oslo' } };

interface Family {
  made: string;
  old: string;
  /** Replacements that turn text of the made-up format into text of the existing one. */
  words: readonly [made: string, old: string][];
  /** Ways to damage the text of a call in the made-up format. */
  damages: readonly { title: string; damage: (call: string) => string }[];
}

const cut = (call: string, at: string): string => call.slice(0, call.indexOf(at));

const FAMILIES: readonly Family[] = [
  {
    made: 'made-up-json',
    old: 'bracket-tool-call',
    words: [
      ['⟦fn⟧', '[TOOL_CALL]'],
      ['⟦/fn⟧', '[/TOOL_CALL]'],
      ['⟦/fm⟧', '[/TOOL_CAL]'],
      ['⟦/f', '[/TOO'],
    ],
    damages: [
      { title: 'a typo in the closer', damage: (call) => call.replace('/fn', '/fm') },
      { title: 'a doubled closer', damage: (call) => `${call}\n⟦/fn⟧` },
      { title: 'a doubled opener', damage: (call) => `⟦fn⟧\n${call}` },
      { title: 'no opener', damage: (call) => call.replace('⟦fn⟧\n', '') },
      { title: 'no closer', damage: (call) => call.replace('\n⟦/fn⟧', '') },
      { title: 'a bracket too few before the closer', damage: (call) => call.replace('}}', '}') },
      { title: 'the closer of another format', damage: (call) => call.replace('⟦/fn⟧', '</tool_call>') },
      { title: 'the end of a turn', damage: (call) => `${call}<|im_end|>` },
      { title: 'a cut in the closer', damage: (call) => call.slice(0, -2) },
      { title: 'a cut in a value', damage: (call) => cut(call, 'hent') },
    ],
  },
  {
    made: 'made-up-pairs',
    old: 'minicpm5',
    words: [
      ['⟪call get_weather⟫', '<function name="get_weather">'],
      ['⟪arg city⟫', '<param name="city">'],
      ['⟪/arg⟫', '</param>'],
      ['⟪/call⟫', '</function>'],
      ['⟪/arh⟫', '</parma>'],
      ['⟪/cal⟫', '</functon>'],
    ],
    damages: [
      { title: 'a typo in the closer of a value', damage: (call) => call.replace('/arg', '/arh') },
      { title: 'a doubled closer of a value', damage: (call) => call.replace('⟪/arg⟫', '⟪/arg⟫⟪/arg⟫') },
      { title: 'a typo in the closer of the call', damage: (call) => call.replace('/call', '/cal') },
      { title: 'a doubled closer of the call', damage: (call) => `${call}\n⟪/call⟫` },
      { title: 'no closer of the call', damage: (call) => call.replace('\n⟪/call⟫', '') },
      { title: 'no closer of the value', damage: (call) => call.replace('⟪/arg⟫', '') },
      { title: 'the end of a turn', damage: (call) => `${call}<|im_end|>` },
      { title: 'a cut in a value', damage: (call) => cut(call, 'hent') },
    ],
  },
  {
    made: 'made-up-toml',
    old: 'yaml',
    words: [
      ['```toml', '```yaml'],
      ['name = "get_weather"', 'name: get_weather'],
      ['[arguments]', 'arguments:'],
      ['city = ', '  city: '],
    ],
    damages: [
      { title: 'a typo in the closer', damage: (call) => call.replace(/```$/, '``') },
      { title: 'a doubled closer', damage: (call) => `${call}\n\`\`\`` },
      { title: 'no closer', damage: (call) => call.replace(/\n```$/, '') },
      { title: 'the end of a turn', damage: (call) => `${call}<|im_end|>` },
      { title: 'a cut in a value', damage: (call) => cut(call, 'hent') },
    ],
  },
];

const translate = (text: string, words: Family['words']): string =>
  words.reduce((translated, [made, old]) => translated.replaceAll(made, old), text);

/** The parts of a report that do not depend on the id of the format or the length of its tokens. */
function outcomeOf(text: string, words: Family['words'] = []): object {
  const { calls, content, rejected } = rescue(text);
  return {
    calls: calls.map(toPlain),
    evidence: calls.map(({ evidence }) => evidence),
    repairs: calls.map(({ repairs }) => kindsOf(repairs)),
    rejected: rejected.map(({ reason }) => reason),
    content: translate(content, words),
  };
}

/** What a stream in chunks of this length returns before its end, what is left at the end, and the calls. */
function stream(text: string, length: number): { given: string; rest: string; calls: object[] } {
  const scanner = new RescueScanner(WEATHER);
  let given = '';
  for (let at = 0; at < text.length; at += length) given += scanner.feed(text.slice(at, at + length));
  const { report, rest } = scanner.finish();
  return { given, rest, calls: report.calls.map(toPlain) };
}

const cases = FAMILIES.flatMap((family) =>
  family.damages.map(({ title, damage }) => ({ ...family, title: `${family.made}: ${title}`, damage })),
);

describe.each(FAMILIES)('$made', ({ made, words }) => {
  const one = `Sure.\n${formatToolCalls([GHENT], made)}`;
  const two = formatToolCalls([GHENT, OSLO], made);

  it('reads back what its writer writes, one call or several', () => {
    expect(rescue(two).calls.map(({ format }) => format)).toEqual([made, made]);
    expect(outcomeOf(two)).toMatchObject({
      calls: [GHENT, OSLO],
      repairs: [[], []],
      rejected: [],
      content: '',
    });
    expect(outcomeOf(one)).toMatchObject({ calls: [GHENT], repairs: [[]], rejected: [], content: 'Sure.' });
  });

  it.each(['', '> ', '`'])('is treated like the existing format after %j, and in reasoning', (before) => {
    const texts = [`${before}${one}`, `<think>${one}</think>No.`, `${one}\n\nThat is how it is done.`];
    for (const text of texts) expect(outcomeOf(text, words)).toEqual(outcomeOf(translate(text, words)));
  });

  it.each([1, 3, 17])('does not stream any part of a call, %d characters at a time', (length) => {
    expect(stream(one, length)).toEqual({ given: 'Sure.\n', rest: '', calls: [GHENT] });
  });
});

describe('a damaged call of a made-up format, treated like the existing one', () => {
  it.each(cases)('$title', ({ made, words, damage }) => {
    const text = damage(formatToolCalls([GHENT], made));
    expect(outcomeOf(text, words)).toEqual(outcomeOf(translate(text, words)));
    expect(stream(text, 4).calls).toEqual(rescue(text).calls.map(toPlain));
  });

  it.each(cases)('$title, before an undamaged one', ({ made, words, damage }) => {
    const text = `${damage(formatToolCalls([GHENT], made))}\n${formatToolCalls([OSLO], made)}`;
    expect(outcomeOf(text, words)).toEqual(outcomeOf(translate(text, words)));
  });
});
