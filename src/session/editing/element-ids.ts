// Gives the elements of a list ids that they keep through every change of the list: edits of the session are followed
// exactly, any other change by comparing the list before and after it. Does not know what the elements are.
import type { DocumentEdit } from '../../protocol';

/** What an element is recognized by after a change from outside: its content and, unless that is all, its name. */
export type Marks = readonly [content: string, name?: string];

interface KnownElement {
  readonly id: string;
  /** Undefined after an edit of the session: whatever is at its place now is this element. */
  marks: Marks | undefined;
  /** The lists inside the element, by their key. */
  readonly lists: Map<string, ElementIds>;
}

/** Removed elements that are remembered. */
const MAX_GONE = 50;

export class ElementIds {
  #elements: KnownElement[] = [];
  /** The elements that were removed last: one that returns, as after an undo, has its id again. */
  #gone: KnownElement[] = [];
  #made = 0;

  /** In the order of the list. */
  get ids(): string[] {
    return this.#elements.map(({ id }) => id);
  }

  /** The ids of a list inside an element. */
  listIn(at: number, key: string): ElementIds {
    const lists = this.#elements[at]?.lists;
    const known = lists?.get(key) ?? new ElementIds();
    lists?.set(key, known);
    return known;
  }

  /** Follows an edit of the session. @param edit Its path begins with an index of this list. */
  carry({ path, ...change }: DocumentEdit): void {
    const [at, key, ...rest] = path;
    if (typeof at !== 'number') return;
    const { value, isInsertion, movedFrom } = change;
    const element = this.#elements[at];
    if (key === undefined && movedFrom !== undefined) {
      this.#elements.splice(at, 0, ...this.#elements.splice(movedFrom, 1));
    } else if (key === undefined && value === undefined) this.#remember(this.#elements.splice(at, 1));
    else if (key === undefined && isInsertion) this.#elements.splice(at, 0, this.#make());
    else if (element) {
      element.marks = undefined;
      element.lists.get(String(key))?.carry({ path: rest, ...change });
    }
  }

  /** Brings the ids in line with the list as it is now. */
  follow(now: readonly Marks[]): void {
    const before = this.#elements;
    const places = matchPlaces(before, now);
    this.#remember(before.filter((_element, at) => places[at] === undefined));
    const kept = new Map(before.map((element, at) => [places[at], element] as const));
    this.#elements = now.map((marks, at) => {
      const element = kept.get(at) ?? this.#takeBack(marks) ?? this.#make();
      element.marks = marks;
      return element;
    });
  }

  #make(): KnownElement {
    return { id: `${this.#made++}`, marks: undefined, lists: new Map() };
  }

  #remember(gone: readonly KnownElement[]): void {
    this.#gone = [...this.#gone, ...gone].slice(-MAX_GONE);
  }

  #takeBack([content, name]: Marks): KnownElement | undefined {
    const at = this.#gone.findLastIndex(
      ({ marks }) => marks?.[0] === content || (name !== undefined && marks?.[1] === name),
    );
    return at < 0 ? undefined : this.#gone.splice(at, 1)[0];
  }
}

/** @returns the present index of each element; undefined for one that is gone */
function matchPlaces(before: readonly KnownElement[], now: readonly Marks[]): (number | undefined)[] {
  const isSame = (element: KnownElement | undefined, at: number): boolean =>
    element !== undefined && (!element.marks || element.marks[0] === now[at]?.[0]);
  const shorter = Math.min(before.length, now.length);
  let head = 0;
  while (head < shorter && isSame(before[head], head)) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(before.at(-1 - tail), now.length - 1 - tail)) tail++;
  const end = before.length - tail;
  const places = before.map((_element, at): number | undefined =>
    at < head ? at : at < end ? undefined : at + now.length - before.length,
  );
  const open = range(head, now.length - tail);
  const missing = (): number[] => range(head, end).filter((at) => places[at] === undefined);
  for (const kind of [0, 1] as const) {
    for (const at of missing()) {
      const mark = before[at]?.marks?.[kind];
      const found = mark === undefined ? -1 : open.findIndex((to) => now[to]?.[kind] === mark);
      if (found !== -1) [places[at]] = open.splice(found, 1);
    }
  }
  // If as many are new as are missing, they were changed in place.
  const changed = missing();
  if (changed.length === open.length) for (const [nth, at] of changed.entries()) places[at] = open[nth];
  return places;
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(end - start, 0) }, (_none, at) => start + at);
