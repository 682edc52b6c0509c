// What the readers of one reply share: the text, the offered tools, and the memory that keeps reading linear.
import type { CallBlock } from './call-block';
import type { JsonRole } from './json/json-reading';
import type { ToolIndex } from './tool-index';

/** Counts work: characters looked at by readers, and the farthest of them. */
export class Meter {
  steps = 0;
  reached = 0;
  /** A reader read to the end of the text: with more text it would have gone on. */
  hasReadEnd = false;
  /** Something was sought to the end of the text and not found. */
  hasMissed = false;
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  /** Characters from `from` to `to` were read. */
  spend(from: number, to: number): void {
    this.steps += Math.max(1, to - from);
    if (to > this.reached) this.reached = to;
    if (to >= this.#length) this.hasReadEnd = true;
  }
}

interface Found {
  from: number;
  at: number;
}

/** A text to read JSON from. */
export class TextSource {
  readonly text: string;
  readonly meter: Meter;
  /** By closing quote: from here to the end no string of that kind closes. */
  readonly unclosedFrom: Map<string, number> = new Map();
  readonly #found: Map<string, Found> = new Map();

  constructor(text: string) {
    this.text = text;
    this.meter = new Meter(text.length);
  }

  /** As `indexOf`, but no stretch of text is searched twice for the same thing. -1 when there is none. */
  find(needle: string, from: number): number {
    const known = this.#found.get(needle);
    const isKnown = known !== undefined && from >= known.from && (known.at === -1 || from <= known.at);
    const at = isKnown ? known.at : this.text.indexOf(needle, from);
    if (at === -1) this.meter.hasMissed = true;
    if (isKnown) return at;
    this.#found.set(needle, { from, at });
    this.meter.steps += (at === -1 ? this.text.length : at) - from;
    return at;
  }
}

export class RescueContext extends TextSource {
  readonly tools: ToolIndex;
  /** The server says that the reply was cut by its token limit. */
  readonly isCut: boolean;
  /** The server says that the model ended the reply itself: what stands at its end is whole. */
  isEnded = false;
  /** The last block of JSON, with where and how it was read: several formats begin alike. */
  lastBlock: { at: number; role: JsonRole; block: CallBlock | null } | undefined;
  /** What stands before it was taken by an earlier reading. */
  floor = 0;

  constructor(text: string, tools: ToolIndex, isCut: boolean) {
    super(text);
    this.tools = tools;
    this.isCut = isCut;
  }
}
