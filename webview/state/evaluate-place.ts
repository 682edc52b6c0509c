// What the view *Evaluate* shows: the filter of the rows, the selected cell, the open sample, what is edited or asked.
import type { RequestParams, ShownRows } from '../../src/protocol';
import { isRecord, SHOWN_ROWS } from '../../src/protocol';
import type { SamplePart } from '../../src/types';

export interface CellPlace {
  readonly rowId: string;
  readonly laneId: string;
}

/** A question that is asked before something is done. */
export type EvaluateQuestion =
  | { readonly kind: 'start'; readonly start: RequestParams<'evaluation/start'>; readonly words: string }
  | { readonly kind: 'rows-file'; readonly path: string };

export interface EvaluatePlace {
  readonly filter: ShownRows;
  /** Only rows with such samples are shown. Not kept for the next window. */
  readonly part?: SamplePart | undefined;
  readonly cell?: CellPlace | undefined;
  /** Number of the open sample of the cell, from 1. */
  readonly repeat?: number | undefined;
  /** Whether the first tab is selected: of a sample *Expectations*, of a cell *Samples*. */
  readonly isFirstTab: boolean;
  /** Index of the expectation that is edited. */
  readonly expectation?: number | undefined;
  readonly question?: EvaluateQuestion | undefined;
}

export const firstPlace = (): EvaluatePlace => ({ filter: 'all', isFirstTab: true });

/** What of it survives a reload of the window: not what is asked or edited. */
export const toStoredPlace = ({ filter, cell, repeat, isFirstTab }: EvaluatePlace): EvaluatePlace => ({
  filter,
  cell,
  repeat,
  isFirstTab,
});

/** @returns the first place where what was stored is damaged */
export function restorePlace(stored: unknown): EvaluatePlace {
  if (!isRecord(stored)) return firstPlace();
  const { filter, cell, repeat, isFirstTab } = stored;
  const { rowId, laneId } = isRecord(cell) ? cell : {};
  const hasCell = typeof rowId === 'string' && typeof laneId === 'string';
  const hasRepeat = hasCell && Number.isSafeInteger(repeat) && Number(repeat) > 0;
  return {
    filter: SHOWN_ROWS.find((known) => known === filter) ?? 'all',
    isFirstTab: isFirstTab !== false,
    ...(hasCell && { cell: { rowId, laneId } }),
    ...(hasRepeat && { repeat: Number(repeat) }),
  };
}
