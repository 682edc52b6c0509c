import { describe, expect, it } from 'vitest';
import {
  describeSettings,
  emptySamplingTexts,
  firstSamplingProblem,
  samplingProblem,
  toSamplingParams,
} from '../../../webview/sampling-fields';

describe('samplingProblem', () => {
  it.each(['0', '0.7', '-1', '.5', '1.', '1e3', ' 2 '])('takes %j as a number', (text) => {
    expect(samplingProblem('temperature', text)).toBeUndefined();
  });

  it.each(['abc', '1,5', '0x10', 'Infinity', '1e999', '--1', '1 2'])('refuses %j as a number', (text) => {
    expect(samplingProblem('temperature', text)).toBe('a number');
  });

  it('wants whole numbers where the servers count', () => {
    expect(samplingProblem('seed', '7')).toBeUndefined();
    expect(samplingProblem('seed', '7.5')).toBe('a whole number');
    expect(samplingProblem('numCtx', 'many')).toBe('a whole number');
    expect(samplingProblem('maxTokens', '9007199254740993')).toBe('a whole number');
  });

  it('has nothing against an empty field, which is not sent', () => {
    expect(samplingProblem('seed', '')).toBeUndefined();
    expect(samplingProblem('seed', '   ')).toBeUndefined();
  });

  it('bounds the stop sequences as the host does', () => {
    expect(samplingProblem('stop', Array.from({ length: 64 }, () => 'x').join('\n'))).toBeUndefined();
    expect(samplingProblem('stop', Array.from({ length: 65 }, () => 'x').join('\n'))).toBe(
      'at most 64 lines',
    );
  });
});

describe('firstSamplingProblem', () => {
  it('names the field as it is labelled', () => {
    const texts = { ...emptySamplingTexts(), numCtx: 'big', repeatPenalty: 'none' };
    expect(firstSamplingProblem(texts)).toBe('Context size must be a whole number.');
    expect(firstSamplingProblem(emptySamplingTexts())).toBeUndefined();
  });
});

describe('toSamplingParams', () => {
  it('holds only the fields that are set and valid', () => {
    const texts = { ...emptySamplingTexts(), temperature: '0', seed: ' 7 ', topK: 'x' };
    expect(toSamplingParams(texts)).toEqual({ temperature: 0, seed: 7 });
    expect(toSamplingParams(emptySamplingTexts())).toEqual({});
  });

  it('takes one stop sequence a line and keeps the spaces in it', () => {
    const texts = { ...emptySamplingTexts(), stop: ' END\r\n\n###' };
    expect(toSamplingParams(texts)).toEqual({ stop: [' END', '###'] });
  });
});

describe('describeSettings', () => {
  it('names what is set and counts what does not fit', () => {
    const texts = { ...emptySamplingTexts(), temperature: '0', seed: '7' };
    expect(describeSettings(texts, true)).toBe('temperature 0 · seed 7');
    expect(describeSettings({ ...texts, topK: '4', maxTokens: '9' }, true)).toBe(
      'temperature 0 · top K 4 · 2 more',
    );
  });

  it('puts the switched-off rescue first', () => {
    expect(describeSettings({ ...emptySamplingTexts(), stop: 'a\nb' }, false)).toBe(
      'rescue off · 2 stop sequences',
    );
  });

  it('says so when nothing is set', () => {
    expect(describeSettings(emptySamplingTexts(), true)).toBe("nothing set, so the server's defaults apply");
  });
});
