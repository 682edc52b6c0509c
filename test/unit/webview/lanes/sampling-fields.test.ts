import { describe, expect, it } from 'vitest';
import { describeSettings, parseSampling, showSampling } from '../../../../webview/lanes/sampling-fields';
import { toLane } from '../samples';
import { fc } from '../../../support/arbitrary/properties';

describe('parseSampling', () => {
  it.each([
    ['0', 0],
    ['0.7', 0.7],
    ['-1', -1],
    ['.5', 0.5],
    ['1.', 1],
    ['1e3', 1000],
    [' 2 ', 2],
  ])('reads %j as a number', (text, value) => {
    expect(parseSampling('temperature', text)).toEqual({ value });
  });

  it.each(['abc', '1,5', '0x10', 'Infinity', '1e999', '--1', '1 2'])('refuses %j as a number', (text) => {
    expect(parseSampling('temperature', text)).toEqual({ problem: 'must be a number' });
  });

  it('requires whole numbers for counts', () => {
    const problem = 'must be a whole number';
    expect(parseSampling('seed', '7')).toEqual({ value: 7 });
    expect(parseSampling('seed', '7.5')).toEqual({ problem });
    expect(parseSampling('numCtx', 'many')).toEqual({ problem });
    expect(parseSampling('maxTokens', '9007199254740993')).toEqual({ problem: 'is too large' });
    expect(parseSampling('maxTokens', '1e999')).toEqual({ problem });
  });

  it('returns no value for an empty field, whose key is removed', () => {
    expect(parseSampling('seed', '')).toEqual({ value: undefined });
    expect(parseSampling('seed', '   ')).toEqual({ value: undefined });
    expect(parseSampling('stop', '\n')).toEqual({ value: undefined });
  });

  it('reads one stop sequence per line with its spaces, within the limits of the document', () => {
    expect(parseSampling('stop', ' END\r\n\n###')).toEqual({ value: [' END', '###'] });
    expect(parseSampling('stop', 'x\n'.repeat(64)).problem).toBeUndefined();
    expect(parseSampling('stop', 'x\n'.repeat(65))).toEqual({ problem: 'must be at most 64 lines' });
  });
});

describe('showSampling', () => {
  it('shows text that is read as the same value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseSampling('temperature', showSampling(value)).value).toBe(value === 0 ? 0 : value);
      }),
    );
    expect(showSampling(['a', 'b'])).toBe('a\nb');
    expect(showSampling(undefined)).toBe('');
  });
});

describe('describeSettings', () => {
  it('names settings, and counts those that do not fit', () => {
    const sampling = { temperature: 0, seed: 7 };
    expect(describeSettings(toLane('a', { sampling }))).toBe('temperature 0 · seed 7');
    expect(describeSettings(toLane('a', { sampling: { ...sampling, topK: 4, maxTokens: 9 } }))).toBe(
      'temperature 0 · top K 4 · 2 more',
    );
  });

  it('names rescue off first, then the tool choice; raw keys come last', () => {
    const lane = toLane('a', { rescueToolCalls: false, toolChoice: { tool: 'x' }, raw: { top_k: 1 } });
    expect(describeSettings(lane)).toBe('rescue off · tool choice x · 1 raw key');
    expect(describeSettings(toLane('a', { sampling: { stop: ['a', 'b'] } }))).toBe('2 stop sequences');
  });

  it('says that nothing is set', () => {
    expect(describeSettings(toLane('a'))).toBe("nothing set, so the server's defaults apply");
    const inEditor = { ...toLane('a'), isInEditor: true };
    expect(describeSettings(inEditor)).toBe("nothing set, so the model's defaults apply");
  });

  it('names limits, and counts invalid fields', () => {
    const limits = { maxSteps: 4, maxTokens: 4000 };
    expect(describeSettings(toLane('a', { limits }))).toBe('4 steps, 4\u202f000 tokens at most');
    expect(describeSettings(toLane('a', { sampling: { seed: 7 }, limits: { maxCostUsd: 0.5 } }), 1)).toBe(
      '1 field is not valid · seed 7 · $0.50 at most',
    );
  });
});
