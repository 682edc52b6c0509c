// The last changes of a text, to be undone and redone, for a text that no editor does this for. Pure: works on texts.
import type { TextEdit } from '../ports';

const MAX_STEPS = 100;
/** All steps together, in UTF-16 code units: they stay in memory while the playground is open. */
const MAX_LENGTH = 20_000_000;

export type UndoDirection = 'undo' | 'redo';

/** The part of a text that a change has replaced. */
interface Change {
  offset: number;
  before: string;
  after: string;
}

export class UndoSteps {
  /** Changes that can be undone, the last one at the end. */
  #done: Change[] = [];
  /** Changes that can be redone, the next one at the end. */
  #undone: Change[] = [];
  /** The text to which the steps belong. */
  #text: string | undefined;

  /**
   * Adds a change that was made. What was undone before it can no longer be redone.
   * @param isStep Whether it can be undone. If not, the steps before it still can, unless it has changed their text.
   */
  add(before: string, after: string, isStep: boolean): void {
    if (before === after) return;
    this.#follow(before);
    this.#undone = [];
    const change = changeBetween(before, after);
    if (isStep) this.#done.push(change);
    else this.#done = movedOver(this.#done, change);
    this.#text = after;
    let length = this.#done.reduce((sum, step) => sum + lengthOf(step), 0);
    while (this.#done.length > MAX_STEPS || length > MAX_LENGTH) {
      const oldest = this.#done.shift();
      if (!oldest) break;
      length -= lengthOf(oldest);
    }
  }

  /**
   * Takes the next step in this direction.
   * @param text The current text.
   * @returns the edit to make; undefined when there is no such step
   */
  take(direction: UndoDirection, text: string): TextEdit | undefined {
    this.#follow(text);
    const [from, to] = direction === 'undo' ? [this.#done, this.#undone] : [this.#undone, this.#done];
    const step = from.pop();
    if (!step) return undefined;
    to.push(step);
    const [old, next] = direction === 'undo' ? [step.after, step.before] : [step.before, step.after];
    const { offset } = step;
    this.#text = text.slice(0, offset) + next + text.slice(offset + old.length);
    return { offset, length: old.length, text: next };
  }

  forget(): void {
    this.#done = [];
    this.#undone = [];
  }

  /** Forgets the steps when somebody else has changed the text: they would replace other parts of it than they should. */
  #follow(text: string): void {
    if (this.#text === text) return;
    this.#text = text;
    this.forget();
  }
}

const lengthOf = ({ before, after }: Change): number => before.length + after.length;

/** Keeps only what differs, as most edits are small and the text may be long. */
function changeBetween(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    offset: start,
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
  };
}

/**
 * Moves steps to where their text is after a later change that stays when they are undone.
 * @returns the steps after the last one whose text the change has touched
 */
function movedOver(steps: readonly Change[], change: Change): Change[] {
  const moved: Change[] = [];
  const length = change.before.length;
  const growth = change.after.length - length;
  // Where the change is in the text that the step has led to.
  let { offset } = change;
  for (const step of steps.toReversed()) {
    const end = step.offset + step.after.length;
    const isBehind = offset >= end;
    if (!isBehind && offset + length > step.offset) break;
    moved.unshift(isBehind ? step : { ...step, offset: step.offset + growth });
    if (isBehind) offset += step.before.length - step.after.length;
  }
  return moved;
}
