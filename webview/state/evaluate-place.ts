// What the view *Evaluate* shows: the filter of the rows, the selected cell, the open sample, what is edited or asked.
import type { RequestParams, ShownRows } from '../../src/protocol';

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
