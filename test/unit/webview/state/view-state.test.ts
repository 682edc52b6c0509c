import { describe, expect, it } from 'vitest';
import type { ViewState } from '../../../../webview/state/view-state';
import {
  initialView,
  restoreView,
  toStoredView,
  VIEW_VERSION,
  withPair,
  withResultDraft,
} from '../../../../webview/state/view-state';
import { fc } from '../../../support/arbitrary/properties';

const DRAFT = { content: '4 °C', isError: false, isOpen: true };
const FULL: ViewState = {
  view: 'embeddings',
  laneId: '__proto__',
  target: 'b',
  tab: 'rescue',
  selection: { laneId: 'a', runId: 'r1', callIndex: 0, spanNumber: undefined },
  inspectorWidth: 400,
  isInspectorOpen: false,
  isRendered: true,
  isPromptOpen: true,
  openSettings: ['a'],
  draft: 'Is it cold?',
  edit: { laneId: 'a', entryId: 'm1', text: 'Was it cold?' },
  results: new Map([['r1', { 0: DRAFT }]]),
  fields: new Map([['sampling.temperature __proto__', 'abc']]),
  typedOver: new Map([['message', 'Is it']]),
  stepTexts: new Map([['a', 'And now?']]),
};
const keep = (view: ViewState): unknown => JSON.parse(JSON.stringify(toStoredView(view)));

describe('restoreView', () => {
  it('restores everything that was stored', () => {
    expect(restoreView(keep(FULL))).toEqual(FULL);
    expect(restoreView(keep(initialView()))).toEqual(initialView());
  });

  it('starts with defaults for the state of another version', () => {
    for (const stored of [undefined, null, 'x', [], { ...FULL, version: VIEW_VERSION + 1 }, { version: 1 }]) {
      expect(restoreView(stored)).toEqual(initialView());
    }
  });

  it('drops a damaged part, and keeps the others', () => {
    const stored = {
      ...(keep(FULL) as object),
      selection: { laneId: 3 },
      edit: 'x',
      tab: 'nowhere',
      inspectorWidth: -4,
      results: [
        [
          'r1',
          [
            ['0', { content: 4 }],
            ['__proto__', DRAFT],
          ],
        ],
        'x',
      ],
      fields: [['key'], ['key', 3], ['system', 'Be brief.']],
    };
    const view = restoreView(stored);
    expect(view).toMatchObject({ laneId: '__proto__', tab: 'reply', draft: 'Is it cold?' });
    expect(view.selection ?? view.edit ?? view.inspectorWidth).toBeUndefined();
    expect(view.results.size).toBe(0);
    expect([...view.fields]).toEqual([['system', 'Be brief.']]);
  });

  it('never throws for any stored value', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...Object.keys(FULL)), fc.jsonValue()),
        (any, parts) => {
          restoreView(any);
          const view = restoreView({ ...parts, version: VIEW_VERSION });
          expect(restoreView(keep(view))).toEqual(view);
        },
      ),
    );
  });
});

describe('toStoredView', () => {
  it('contains nothing of a conversation', () => {
    expect(Object.keys(toStoredView(FULL)).toSorted()).toEqual([...Object.keys(FULL), 'version'].toSorted());
  });

  it('contains a text completely or not at all, because a part would be sent as the whole', () => {
    const long = 'x'.repeat(1_500_000);
    const stored = restoreView(
      keep({
        ...FULL,
        draft: long,
        edit: { laneId: 'a', entryId: 'e', text: long },
        results: new Map([['r', { 0: { ...DRAFT, content: long }, 1: DRAFT }]]),
        fields: new Map([
          ['system', long],
          ['lane.model a', 'm'],
        ]),
      }),
    );
    expect(stored.edit?.text).toBe(long);
    expect(stored.draft).toBeUndefined();
    expect(stored.results.get('r')).toEqual({ 1: DRAFT });
    expect([...stored.fields]).toEqual([['lane.model a', 'm']]);
  });

  it('is limited in size: only the latest texts are kept', () => {
    const many = new Map(Array.from({ length: 200 }, (_, index) => [`f${index}`, 'y'] as const));
    const stored = restoreView(keep({ ...FULL, fields: many }));
    expect([...stored.fields.keys()].at(-1)).toBe('f199');
    expect(stored.fields.size).toBe(50);
    const long = new Map(
      Array.from({ length: 20 }, (_, index) => [`f${index}`, 'y'.repeat(150_000)] as const),
    );
    const room = restoreView(keep({ ...FULL, fields: long }));
    expect([...room.fields.keys()].at(-1)).toBe('f19');
    expect(JSON.stringify(toStoredView({ ...FULL, fields: long, typedOver: long })).length).toBeLessThan(
      2_010_000,
    );
  });
});

describe('withResultDraft', () => {
  it('changes one draft and keeps the drafts of other runs', () => {
    const view = withResultDraft(FULL, { runId: 'r2', index: 3 }, DRAFT);
    expect(view.results.get('r1')).toBe(FULL.results.get('r1'));
    expect(view.results.get('r2')).toEqual({ 3: DRAFT });
    expect(withResultDraft(view, { runId: 'r2', index: 3 }, undefined).results.has('r2')).toBe(false);
  });
});

describe('withPair', () => {
  it('puts the latest last', () => {
    const map = withPair(
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
      'a',
      3,
    );
    expect([...map]).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
    expect([...withPair(map, 'b', undefined)]).toEqual([['a', 3]]);
  });
});
