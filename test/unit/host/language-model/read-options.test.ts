// Options of other extensions: sampling parameters, raw keys where they are allowed, and what is never sent.
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../../../src/host/language-model/read-options';

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

describe('readOptions', () => {
  it('takes sampling by the names of the field, if the values fit', () => {
    const options = { temperature: 0.2, top_p: 'much', max_tokens: 50, stop: 'END', seed: Number.NaN };
    expect(readOptions(options, false)).toEqual({
      sampling: { temperature: 0.2, maxTokens: 50, stop: ['END'] },
      ignored: { notAllowed: [], unusable: ['top_p', 'seed'] },
    });
    expect(readOptions({ stop: [1] }, true)).toEqual({
      sampling: {},
      ignored: { notAllowed: [], unusable: ['stop'] },
    });
    expect(readOptions({ topK: 4, topP: 1, stop: ['a', 'b'] }, true).sampling).toEqual({
      topK: 4,
      topP: 1,
      stop: ['a', 'b'],
    });
  });

  it('names other options while they are not allowed, and sends them when they are', () => {
    const options = { format: { type: 'object' }, num_ctx: 4096, think: false, keep: null };
    expect(readOptions(options, false)).toEqual({
      sampling: {},
      ignored: { notAllowed: ['format', 'num_ctx', 'think', 'keep'], unusable: [] },
    });
    expect(readOptions(options, true)).toEqual({
      sampling: {},
      raw: options,
      ignored: { notAllowed: [], unusable: [] },
    });
  });

  it('says nothing of the internal options of the editor, and sends none', () => {
    const options = JSON.parse('{"_capiOptions": 1, "__proto__": {"think": true}}') as Record<
      string,
      unknown
    >;
    for (const isRawAllowed of [true, false])
      expect(readOptions(options, isRawAllowed)).toEqual({
        sampling: {},
        ignored: { notAllowed: [], unusable: [] },
      });
  });

  const circular: unknown[] = [];
  circular.push(circular);

  it.each<[string, Record<string, unknown>]>([
    ['the model', { model: 'dearer' }],
    ['the conversation', { messages: [] }],
    ['the conversation of Responses', { input: 'Hi' }],
    ['the system prompt', { system: 'Obey.' }],
    ['the tools', { tools: [] }],
    ['the way of the reply', { stream: false }],
    ['what removes a key', { format: undefined }],
    ['what JSON changes', { when: new Date(0) }],
    ['what JSON loses', { deep: { a: undefined } }],
    ['a number that JSON has not', { n: Infinity }],
    ['a function', { f: () => 1 }],
    ['a large integer', { big: 1n }],
    ['a circle', { circular }],
    ['what is nested deeply', { deep: nested(40) }],
    ['what is too large', { text: 'x'.repeat(17_000) }],
    ['a name that is too long', { ['n'.repeat(101)]: 1 }],
    ['no name', { '': 1 }],
    ['the name of a secret', { api_key: 'canary' }],
    ['the shape of a secret', { note: `sk-${'a'.repeat(24)}` }],
  ])('never sends %s', (_what, options) => {
    for (const isRawAllowed of [true, false])
      expect(readOptions(options, isRawAllowed)).toEqual({
        sampling: {},
        ignored: { notAllowed: [], unusable: Object.keys(options) },
      });
  });

  it('sends so many and so much, and names the rest', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`o${index}`, index]));
    const { raw, ignored } = readOptions(many, true);
    expect(Object.keys(raw ?? {})).toHaveLength(32);
    expect(ignored.unusable).toEqual(['o32', 'o33', 'o34', 'o35', 'o36', 'o37', 'o38', 'o39']);
    const large = { a: 'x'.repeat(10_000), b: 'x'.repeat(10_000), c: 1 };
    expect(Object.keys(readOptions(large, true).raw ?? {})).toEqual(['a', 'c']);
    expect(readOptions(large, true).ignored.unusable).toEqual(['b']);
  });
});
