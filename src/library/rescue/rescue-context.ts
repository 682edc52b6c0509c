// What the readers of one reply share: the text, the offered tools, and the memory that keeps reading linear.
import type { CallBlock } from './call-block';
import type { ToolIndex } from './tool-index';

/** Counts work: characters looked at by readers, and the farthest of them. */
export class Meter {
  steps = 0;
  reached = 0;

  /** Characters from `from` to `to` were read. */
  spend(from: number, to: number): void {
    this.steps += Math.max(1, to - from);
    if (to > this.reached) this.reached = to;
  }
}

interface Found {
  from: number;
  at: number;
}

/** A text to read JSON from. */
export class TextSource {
  readonly text: string;
  readonly meter: Meter = new Meter();
  /** By closing quote: from here to the end no string of that kind closes. */
  readonly unclosedFrom: Map<string, number> = new Map();
  readonly #found: Map<string, Found> = new Map();

  constructor(text: string) {
    this.text = text;
  }

  /** As `indexOf`, but no stretch of text is searched twice for the same thing. -1 when there is none. */
  find(needle: string, from: number): number {
    const known = this.#found.get(needle);
    if (known && from >= known.from && (known.at === -1 || from <= known.at)) return known.at;
    const at = this.text.indexOf(needle, from);
    this.#found.set(needle, { from, at });
    this.meter.steps += (at === -1 ? this.text.length : at) - from;
    return at;
  }
}

export class RescueContext extends TextSource {
  readonly tools: ToolIndex;
  /** The server says that the reply was cut by its token limit. */
  readonly isCut: boolean;
  /** The last block of JSON, and the bracket where it was read: several formats begin alike. */
  lastBlock: CallBlock | null = null;
  lastBlockAt = -1;
  /** What stands before it was taken by an earlier reading. */
  floor = 0;

  constructor(text: string, tools: ToolIndex, isCut: boolean) {
    super(text);
    this.tools = tools;
    this.isCut = isCut;
  }
}
