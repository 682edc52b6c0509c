import * as v from 'valibot';
import { describe, expect, it, test } from 'vitest';
import type { DocumentEdit } from '../../../../src/protocol';
import { DocumentSchema } from '../../../../src/protocol';
import type { MockChange, ToolScene } from '../../../../webview/tools/tool-edits';
import {
  duplicateEdits,
  fieldEdits,
  isUnresolved,
  libraryMockEdits,
  mockEdits,
  offerEdits,
  removeEdits,
  rowEdits,
  toolScene,
} from '../../../../webview/tools/tool-edits';
import { applyEdits, FLIGHTS, toSnapshot, WEATHER } from './open-tools';

const LANES = [
  { id: 'a', toolChoice: { tool: 'get_weather' } },
  { id: 'b', toolChoice: 'auto' },
];
const OWN = { tools: [WEATHER, FLIGHTS], lanes: LANES };
const REFERENCE = { tools: [{ $ref: 'tools.json#/get_weather' }] };

function sceneOf(content: unknown, typed: Record<string, string> = {}, toolId = '0'): ToolScene {
  const scene = toolScene(toSnapshot(content), toolId, new Map(Object.entries(typed)));
  if (!scene) throw new Error('no such tool');
  return scene;
}

/** The tools after the edits, parsed as a document. */
const after = (content: unknown, edits: readonly DocumentEdit[]): unknown[] =>
  v.parse(DocumentSchema, applyEdits(content, edits)).tools;

describe('toolScene', () => {
  it('is undefined without a document or the tool', () => {
    expect(toolScene(undefined, '0', new Map())).toBeUndefined();
    expect(toolScene(toSnapshot(OWN), '2', new Map())).toBeUndefined();
  });
});

describe('offerEdits', () => {
  it('writes only values that differ from the default', () => {
    expect(offerEdits(3, true)).toEqual([{ path: ['tools', 3, 'offered'] }]);
    expect(offerEdits(3, false)).toEqual([{ path: ['tools', 3, 'offered'], value: false }]);
  });
});

describe('duplicateEdits', () => {
  it('inserts a copy with a unique name after the tool, without defaults', () => {
    const edits = duplicateEdits(sceneOf(OWN));
    expect(edits).toEqual([
      { path: ['tools', 1], value: { ...WEATHER, name: 'get_weather_2' }, isInsertion: true },
    ]);
    expect(duplicateEdits(sceneOf(OWN, {}, '1'))[0]?.value).toEqual({ ...FLIGHTS, name: 'search_flights_2' });
  });

  it('turns a tool of a library into one of the playground', () => {
    expect(duplicateEdits(sceneOf(REFERENCE))[0]?.value).toMatchObject({
      name: 'get_weather_2',
      parameters: WEATHER.parameters,
      mocks: [{ result: 'of the library' }],
    });
  });

  it('keeps keys that only the file has', () => {
    const tools = [{ ...WEATHER, strict: true, mocks: [{ result: 1, note: 'x' }] }];
    expect(after({ tools }, duplicateEdits(sceneOf({ tools })))[1]).toMatchObject({
      strict: true,
      mocks: [{ result: 1, note: 'x' }],
    });
  });

  it('contains typed text that has not been sent yet', () => {
    expect(duplicateEdits(sceneOf(OWN, { 'tools.0.description': 'New' }))[0]?.value).toMatchObject({
      description: 'New',
    });
  });
});

describe('removeEdits', () => {
  it('removes that tool only', () => {
    expect(after(OWN, removeEdits(0))).toMatchObject([{ name: 'search_flights' }]);
  });
});

describe('fieldEdits', () => {
  it('renames a tool, also in tool choices of lanes', () => {
    const edits = fieldEdits(sceneOf(OWN, { 'tools.0.name': 'weather' }), { part: 'name' });
    expect(applyEdits(OWN, edits)).toMatchObject({
      tools: [{ name: 'weather' }, {}],
      lanes: [{ toolChoice: { tool: 'weather' } }, { toolChoice: 'auto' }],
    });
  });

  it('does not change lanes if two tools have the name', () => {
    const twice = { tools: [WEATHER, WEATHER], lanes: LANES };
    const edits = fieldEdits(sceneOf(twice, { 'tools.0.name': 'weather' }), { part: 'name' });
    expect(edits).toEqual([{ path: ['tools', 0, 'name'], value: 'weather' }]);
  });

  it('removes an emptied description', () => {
    const edits = fieldEdits(sceneOf(OWN, { 'tools.0.description': '' }), { part: 'description' });
    expect(edits).toEqual([{ path: ['tools', 0, 'description'] }]);
  });

  it('renames a parameter, also in `required`, and keeps what the table does not show', () => {
    const typed = { 'tools.0.parameters.0.name': 'town' };
    const edits = fieldEdits(sceneOf(OWN, typed), { list: 'parameters', at: 0, part: 'name' });
    expect(applyEdits(OWN, edits)).toMatchObject({
      tools: [
        { parameters: { properties: { town: { description: 'Such as Oslo' } }, required: ['town'] } },
        {},
      ],
    });
  });

  it('changes one part of one mock', () => {
    const typed = { 'tools.0.mocks.0.result': '[1]', 'tools.0.mocks.0.delayMs': '' };
    const scene = sceneOf(OWN, typed);
    const place = { list: 'mocks', at: 0 } as const;
    expect(fieldEdits(scene, { ...place, part: 'result' })).toEqual([
      { path: ['tools', 0, 'mocks', 0, 'result'], value: [1] },
    ]);
    expect(fieldEdits(scene, { ...place, part: 'delayMs' })).toEqual([
      { path: ['tools', 0, 'mocks', 0, 'delayMs'] },
    ]);
  });

  it('copies the mocks of a library to the document, with everything typed', () => {
    const scene = sceneOf(REFERENCE, { 'tools.0.mocks.0.result': 'mine', 'tools.0.mocks.0.delayMs': '5' });
    expect(fieldEdits(scene, { list: 'mocks', at: 0, part: 'delayMs' })).toEqual([
      { path: ['tools', 0, 'mocks'], value: [{ result: 'mine', delayMs: 5 }] },
    ]);
  });
});

describe('rowEdits', () => {
  it('changes the same two paths for any change', () => {
    const bare = { tools: [FLIGHTS] };
    const scene = sceneOf(bare);
    const rows = [{ name: 'from', type: 'string', description: '', isRequired: false }] as const;
    expect(rowEdits(scene, rows)).toEqual([
      { path: ['tools', 0, 'parameters', 'properties'], value: { from: { type: 'string' } } },
      { path: ['tools', 0, 'parameters', 'required'] },
    ]);
    expect(rowEdits(scene, []).map(({ path }) => path.at(-1))).toEqual(['properties', 'required']);
  });
});

describe('mockEdits', () => {
  const mocks = [{ call: 1, result: 'a' }, { call: 2, error: 'b' }, { ask: true }] as const;
  const own = { tools: [{ ...WEATHER, mocks }] };
  const added = { invoke: true } as const;

  test.each<[MockChange, unknown[]]>([
    [{ kind: 'add', at: 3, mock: added }, [...mocks, added]],
    [{ kind: 'add', at: 0, mock: added }, [added, ...mocks]],
    [{ kind: 'replace', at: 1, mock: added }, [mocks[0], added, mocks[2]]],
    [{ kind: 'remove', at: 1 }, [mocks[0], mocks[2]]],
    [{ kind: 'move', at: 2, to: 1 }, [mocks[0], mocks[2], mocks[1]]],
    [{ kind: 'move', at: 0, to: 1 }, [mocks[1], mocks[0], mocks[2]]],
  ])('applies %j', (change, expected) => {
    expect(after(own, mockEdits(sceneOf(own), change))).toMatchObject([{ mocks: expected }]);
  });

  it('starts the mocks of a reference with those of its library', () => {
    const edits = mockEdits(sceneOf(REFERENCE), { kind: 'add', at: 0, mock: added });
    expect(edits).toEqual([{ path: ['tools', 0, 'mocks'], value: [added, { result: 'of the library' }] }]);
    const changed = applyEdits(REFERENCE, edits);
    expect(mockEdits(sceneOf(changed), { kind: 'remove', at: 0 })).toEqual([
      { path: ['tools', 0, 'mocks', 0] },
    ]);
    expect(applyEdits(changed, libraryMockEdits(0))).toEqual(REFERENCE);
  });

  it('adds the first mock of a tool without a list of mocks', () => {
    const bare = { tools: [FLIGHTS] };
    const edits = mockEdits(sceneOf(bare), { kind: 'add', at: 0, mock: added });
    expect(after(bare, edits)).toMatchObject([{ mocks: [added] }]);
  });
});

describe('isUnresolved', () => {
  it('distinguishes an unresolved reference from one that is not offered', () => {
    const { tool, document } = sceneOf(REFERENCE);
    expect(isUnresolved({ tool, document })).toBe(false);
    expect(isUnresolved({ tool: { ...tool, isOffered: false }, document })).toBe(true);
    const off = sceneOf({ tools: [{ ...REFERENCE.tools[0], offered: false }] });
    expect(isUnresolved({ tool: { ...off.tool, isOffered: false }, document: off.document })).toBe(false);
  });
});
