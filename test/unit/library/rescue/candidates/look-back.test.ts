import { describe, expect, it } from 'vitest';
import { readNameLine, skipWordBefore } from '../../../../../src/library/rescue/candidates/look-back';
import type { RescueContext } from '../../../../../src/library/rescue/core/rescue-context';
import { createContext, WEATHER } from '../rescue-fixtures';

const at = (text: string): [RescueContext, number] => [createContext(text, WEATHER), text.indexOf('{')];

describe('skipWordBefore', () => {
  it('finds the word before a few blanks', () => {
    expect(skipWordBefore(...at('So: functools {'), 'functools')).toBe(4);
  });

  it.each(['myfunctools{', 'functools     {', 'functool{', '{'])('finds none in %j', (text) => {
    expect(skipWordBefore(...at(text), 'functools')).toBe(-1);
  });

  it('does not look back before the end of what is already consumed', () => {
    const [context, place] = at('functools{');
    context.consumedTo = 4;
    expect(skipWordBefore(context, place, 'functools')).toBe(-1);
  });
});

describe('readNameLine', () => {
  it('finds the name of an offered tool on the line before', () => {
    expect(readNameLine(...at('Well.\nget_weather\n{'))).toEqual({ name: 'get_weather', start: 6 });
  });

  it.each(['get_weather {', 'use get_weather\n{', 'get_forecast\n{', '\n{', 'get_weather\n\n\n\n\n{'])(
    'finds none in %j',
    (text) => expect(readNameLine(...at(text))).toBeUndefined(),
  );
});
