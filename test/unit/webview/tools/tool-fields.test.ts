import { describe, expect, it, test } from 'vitest';
import {
  parametersOf,
  parseField,
  showField,
  toDraft,
  toolKey,
  toolPlace,
  withTexts,
} from '../../../../webview/tools/tool-fields';
import { toolView } from './open-tools';

describe('toolPlace', () => {
  test.each(['tools.0.name', 'tools.12.parameters.3.options', 'tools.2.mocks.0.delayMs'])(
    'reads %s',
    (key) => {
      const place = toolPlace(key);
      expect(place && toolKey(place)).toBe(key);
    },
  );

  test.each([
    'sampling.temperature a',
    'tools.0.mocks',
    'tools.0.when',
    'tools.0.mocks.0.name',
    'tools.0.parameters.0.call',
    'tools.-1.name',
    'tools.1000.name',
    'tools.0.constructor',
    'tools.0.mocks.0.__proto__',
  ])('refuses %s', (key) => {
    expect(toolPlace(key)).toBeUndefined();
  });
});

describe('showField', () => {
  it('has no text for a missing field', () => {
    const draft = toDraft(toolView());
    expect(showField(draft, { tool: 0, part: 'name' })).toBe('get_weather');
    expect(showField(draft, { tool: 0, list: 'mocks', at: 0, part: 'result' })).toBe('{ "temp_c": -2 }');
    expect(showField(draft, { tool: 0, list: 'mocks', at: 0, part: 'when' })).toBeUndefined();
    expect(showField(draft, { tool: 0, list: 'mocks', at: 1, part: 'result' })).toBeUndefined();
    expect(showField(draft, { tool: 0, list: 'parameters', at: 0, part: 'options' })).toBeUndefined();
    const odd = toDraft(toolView({ parameters: { anyOf: [] } }));
    expect(showField(odd, { tool: 0, list: 'parameters', at: 0, part: 'name' })).toBeUndefined();
  });
});

describe('parseField', () => {
  it('requires a valid name', () => {
    const draft = toDraft(toolView());
    expect(parseField(draft, { tool: 0, part: 'name' }, ' ').problem).toBe('A tool needs a name.');
    expect(parseField(draft, { tool: 0, part: 'name' }, 'a'.repeat(201)).problem).toContain('200');
    const city = { tool: 0, list: 'parameters', at: 1, part: 'name' } as const;
    expect(parseField(draft, city, 'city').problem).toBe('Another parameter has this name.');
    expect(parseField(draft, city, 'unit').problem).toBeUndefined();
  });
});

describe('withTexts', () => {
  it('returns the tool with all valid typed text', () => {
    const typed = new Map([
      ['tools.0.name', 'weather'],
      ['tools.1.name', 'of another tool'],
      ['tools.0.parameters.0.name', 'town'],
      ['tools.0.parameters.0.description', 'Where'],
      ['tools.0.parameters.1.options', 'k'],
      ['tools.0.mocks.0.result', 'cold'],
      ['tools.0.mocks.0.delayMs', 'soon'],
      ['tools.0.mocks.7.result', 'of no mock'],
    ]);
    const tool = toolView();
    const draft = withTexts(tool, typed);
    expect(draft.name).toBe('weather');
    expect(draft.mocks).toEqual([{ result: 'cold' }]);
    expect(parametersOf(tool, draft)).toEqual({
      type: 'object',
      properties: { town: { type: 'string', description: 'Where' }, unit: { type: 'string', enum: ['k'] } },
      required: ['town'],
    });
  });

  it('prefers the first of two equal names', () => {
    const typed = new Map([
      ['tools.0.parameters.0.name', 'same'],
      ['tools.0.parameters.1.name', 'same'],
    ]);
    expect(withTexts(toolView(), typed).rows?.map(({ name }) => name)).toEqual(['same', 'unit']);
  });

  it('removes a part without a value', () => {
    const tool = toolView({ mocks: [{ ask: true, delayMs: 5 }] });
    expect(withTexts(tool, new Map([['tools.0.mocks.0.delayMs', '']])).mocks).toEqual([{ ask: true }]);
  });
});
