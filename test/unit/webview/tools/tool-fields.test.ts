import { describe, expect, it, test } from 'vitest';
import {
  findToolField,
  parametersOf,
  parseField,
  showField,
  toDraft,
  toolKey,
  translateView,
  withIndexIds,
  withTexts,
} from '../../../../webview/tools/tool-fields';
import { initialView } from '../../../../webview/state/view-state';
import { toolView } from './open-tools';

describe('findToolField', () => {
  const ids = { parameterIds: ['8', '3'], mockIds: ['0', '5'] };
  const tools = [toolView(ids), toolView({ ...ids, index: 1, id: '12' })];

  test.each(['tools.0.name', 'tools.12.parameters.3.options', 'tools.12.mocks.5.delayMs'])(
    'reads %s',
    (key) => {
      const { tool, place } = findToolField(tools, key) ?? {};
      expect(tool && place && toolKey(tool, place)).toBe(key);
    },
  );

  test.each([
    'sampling.temperature a',
    'tools.0.mocks',
    'tools.0.when',
    'tools.0.mocks.0.name',
    'tools.0.parameters.8.call',
    'tools.-1.name',
    'tools.7.name',
    'tools.0.mocks.1.delayMs',
    'tools.0.constructor',
    'tools.0.mocks.0.__proto__',
  ])('refuses %s', (key) => {
    expect(findToolField(tools, key)).toBeUndefined();
  });
});

describe('translateView', () => {
  const tools = [
    toolView({ id: '7', parameterIds: ['4', '2'], mockIds: ['9'] }),
    toolView({ index: 1, id: '3', parameterIds: [], mockIds: [] }),
  ];
  const view = {
    ...initialView(),
    fields: new Map([
      ['tools.7.parameters.2.name', 'city'],
      ['tools.7.mocks.9.when', '{'],
      ['sampling.seed a', 'x'],
    ]),
    typedOver: new Map([['tools.3.name', 'search']]),
    toolId: '3',
  };

  it('names places by indexes and back, so that what is saved outlives the ids', () => {
    const stored = translateView(view, tools, withIndexIds(tools));
    expect([...stored.fields.keys()]).toEqual([
      'tools.0.parameters.1.name',
      'tools.0.mocks.0.when',
      'sampling.seed a',
    ]);
    expect([[...stored.typedOver], stored.toolId]).toEqual([[['tools.1.name', 'search']], '1']);
    expect(translateView(stored, withIndexIds(tools), tools)).toEqual(view);
  });
});

describe('showField', () => {
  it('has no text for a missing field', () => {
    const draft = toDraft(toolView());
    expect(showField(draft, { part: 'name' })).toBe('get_weather');
    expect(showField(draft, { list: 'mocks', at: 0, part: 'result' })).toBe('{ "temp_c": -2 }');
    expect(showField(draft, { list: 'mocks', at: 0, part: 'when' })).toBeUndefined();
    expect(showField(draft, { list: 'mocks', at: 1, part: 'result' })).toBeUndefined();
    expect(showField(draft, { list: 'parameters', at: 0, part: 'options' })).toBeUndefined();
    const odd = toDraft(toolView({ parameters: { anyOf: [] } }));
    expect(showField(odd, { list: 'parameters', at: 0, part: 'name' })).toBeUndefined();
  });
});

describe('parseField', () => {
  it('requires a valid name', () => {
    const draft = toDraft(toolView());
    expect(parseField(draft, { part: 'name' }, ' ').problem).toBe('A tool needs a name.');
    expect(parseField(draft, { part: 'name' }, 'a'.repeat(201)).problem).toContain('200');
    const city = { list: 'parameters', at: 1, part: 'name' } as const;
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
