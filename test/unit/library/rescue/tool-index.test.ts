import { describe, expect, it } from 'vitest';
import { ToolIndex } from '../../../../src/library/rescue/tool-index';

const index = new ToolIndex(
  ['get_weather', 'get_time', 'send_email', 'files.search'].map((name) => ({ name, parameters: {} })),
);

describe('ToolIndex', () => {
  it.each([
    ['get_weather', 'get_weather', []],
    [' get_weather\n', 'get_weather', []],
    ['functions.get_time', 'get_time', ['name-prefix']],
    ['Send_Email', 'send_email', ['name-case']],
    ['tools.GET_TIME', 'get_time', ['name-prefix', 'name-case']],
    ['files.search', 'files.search', []],
  ])('takes %j for %s', (written, name, repairs) => {
    expect(index.resolve(written)).toMatchObject({ tool: { name }, repairs });
  });

  it.each(['weather', 'get_weathr', 'search', 'functions.functions.get_time', '', 'toString'])(
    'takes %j for none of them',
    (written) => {
      expect(index.resolve(written)).toBeUndefined();
    },
  );

  it('advises the most similar names first', () => {
    expect(index.nearest('get_wether')).toEqual(['get_weather', 'get_time']);
    expect(index.nearest('zzzzzz')).toEqual([]);
  });

  it('does not grow dear with the number of names asked', () => {
    const many = Array.from({ length: 100 }, (_, number) => index.nearest(`get_weather${number}`));
    expect(many.at(-1)).toEqual([]);
  });
});
