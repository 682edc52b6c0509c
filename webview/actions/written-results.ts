// The results of tool calls that the person writes: what of them counts, and how they reach the session. Does not touch the DOM.
import type { RunEntry, ToolResultView } from '../../src/protocol';
import { callsOf, lastRun } from '../lanes/lane-queries';
import { laneOf } from '../state/session-state';
import type { ResultDraft, ResultDrafts } from '../state/view-state';
import { withResultDraft } from '../state/view-state';
import type { PanelPort } from './panel-port';

/** Results that one request gives at most. */
const MAX_GIVEN = 200;

/** Whether it is sent as an error: as the person has chosen, otherwise as long as it is still the text of the error. */
export const isErrorDraft = ({ content, isError }: ResultDraft, given: ToolResultView | undefined): boolean =>
  isError ?? (given?.isError === true && isSameText(given.content, content));

/** Whether the person has written something else than the result that the call has. */
export function isChanged(draft: ResultDraft, given: ToolResultView | undefined): boolean {
  if (draft.isUntouched) return false;
  if (!given) return draft.content !== '';
  // Of a long result the panel knows only a part.
  const isSame = draft.content === given.content && given.length === given.content.length;
  return !isSame || isErrorDraft(draft, given) !== given.isError;
}

export class WrittenResults {
  readonly #panel: PanelPort;

  constructor(panel: PanelPort) {
    this.#panel = panel;
  }

  /**
   * Sends the written result of a call, and with it the changed results of the same reply that are open.
   * @returns whether that succeeded
   */
  async send(laneId: string, runId: string, index: number): Promise<boolean> {
    const entry = this.#session(laneId).entries.get(runId);
    const drafts = this.#draftsOf(runId);
    if (!drafts[index] || entry?.kind !== 'run') return false;
    const others = openIndices(drafts).filter((at) => {
      const [draft, given] = [drafts[at], entry.results[at]];
      return at !== index && draft && given && isChanged(draft, given);
    });
    return this.#give(laneId, entry, [index, ...others]);
  }

  /**
   * Gives the session the results of the last reply that are open, before something that sends the conversation.
   * @param isAnsweredOnly Leaves out the calls without a result.
   * @returns false when one was refused; nothing may be sent then
   */
  async keepOpen(laneId: string, isAnsweredOnly = false): Promise<boolean> {
    const entry = lastRun(this.#session(laneId));
    if (!entry) return true;
    const drafts = this.#draftsOf(entry.id);
    const open = openIndices(drafts).filter((at) => callsOf(entry)[at]);
    const changed = open.filter((at) => {
      const [draft, given] = [drafts[at], entry.results[at]];
      return draft && isChanged(draft, given) && (given || !isAnsweredOnly);
    });
    if (changed.length > 0 && !(await this.#give(laneId, entry, changed, true))) return false;
    // The others show what is sent anyway, or what nobody has written.
    this.#drop(
      entry.id,
      open.filter((at) => entry.results[at] || drafts[at]?.isUntouched),
    );
    return true;
  }

  async #give(laneId: string, entry: RunEntry, indices: readonly number[], isKept = false): Promise<boolean> {
    const drafts = this.#draftsOf(entry.id);
    const results = indices.slice(0, MAX_GIVEN).flatMap((callIndex) => {
      const draft = drafts[callIndex];
      if (!draft) return [];
      const isError = isErrorDraft(draft, entry.results[callIndex]);
      return [{ callIndex, content: draft.content, isError }];
    });
    const params = { laneId, runId: entry.id, results, ...(isKept && { isKept }) };
    const isGiven = await this.#panel.send('result/give', params);
    if (isGiven)
      this.#drop(
        entry.id,
        results.map(({ callIndex }) => callIndex),
      );
    return isGiven;
  }

  #drop(runId: string, indices: readonly number[]): void {
    this.#panel.changeView((view) =>
      indices.reduce((next, index) => withResultDraft(next, { runId, index }, undefined), view),
    );
  }

  #session(laneId: string): ReturnType<typeof laneOf> {
    return laneOf(this.#panel.state.session, laneId);
  }

  #draftsOf(runId: string): ResultDrafts {
    return this.#panel.state.view.results.get(runId) ?? {};
  }
}

const openIndices = (drafts: ResultDrafts): number[] =>
  Object.entries(drafts).flatMap(([index, { isOpen }]) => (isOpen ? [Number(index)] : []));

/** Whether at least half of a text is left, at its beginning and end: a correction keeps that, another text does not. */
function isSameText(before: string, after: string): boolean {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return (start + end) * 2 >= before.length;
}
