import { describe, expect, it } from 'vitest';
import { firstPlace, restorePlace, toStoredPlace } from '../../../../webview/state/evaluate-place';

const PLACE = {
  filter: 'failing',
  cell: { rowId: 'oslo', laneId: 'a' },
  repeat: 3,
  isFirstTab: false,
} as const;

describe('restorePlace', () => {
  it('restores what was selected, without what was asked or edited', () => {
    const stored: unknown = JSON.parse(
      JSON.stringify(
        toStoredPlace({ ...PLACE, expectation: 1, question: { kind: 'rows-file', path: './rows.csv' } }),
      ),
    );
    expect(restorePlace(stored)).toEqual(PLACE);
    expect(restorePlace(JSON.parse(JSON.stringify(toStoredPlace(firstPlace()))))).toEqual(firstPlace());
  });

  it.each([
    [undefined, firstPlace()],
    ['x', firstPlace()],
    [
      { ...PLACE, filter: 'best' },
      { ...PLACE, filter: 'all' },
    ],
    [
      { ...PLACE, cell: { rowId: 3 } },
      { filter: 'failing', isFirstTab: false },
    ],
    [
      { ...PLACE, repeat: -1 },
      { filter: 'failing', isFirstTab: false, cell: PLACE.cell },
    ],
  ])('drops what is damaged: %j', (stored, expected) => {
    expect(restorePlace(stored)).toEqual(expected);
  });
});
