// What delimits the regions of a reply beside Markdown: the tags of reasoning, and the info strings of fences that may hold
// a call. It is given both, and decides nothing.
import type { FenceOpening } from './fence';
import { groupByFirst, toLiteralSource, toPattern } from '../text/prefilter';
import { ReasoningTags } from './reasoning-tags';
import type { ReasoningTag, StrippedReasoning } from './reasoning-tags';

/** What every dialect may use, and nothing in it names a programming language. */
const PLAIN_INFO_STRINGS = ['', 'text'];

export interface RegionParts {
  reasoningTags: readonly ReasoningTag[];
  strippedReasoning: readonly StrippedReasoning[];
  infoStrings: readonly string[];
}

export class RegionSyntax {
  readonly reasoning: ReasoningTags;
  readonly stripped: readonly StrippedReasoning[];
  readonly #infoStrings: ReadonlySet<string>;
  /** Where a tag of reasoning may stand. */
  readonly tags: RegExp;

  constructor({ reasoningTags, strippedReasoning, infoStrings }: RegionParts) {
    this.reasoning = new ReasoningTags(reasoningTags);
    this.stripped = strippedReasoning;
    this.#infoStrings = new Set([...PLAIN_INFO_STRINGS, ...infoStrings]);
    const tags = [...groupByFirst(this.reasoning.literals)].map(
      ([first, rests]) => [first, [toLiteralSource(rests, Infinity)]] as const,
    );
    this.tags = toPattern(new Map(tags));
  }

  /** A call may stand in the fence: its info string does not name a programming language. */
  isClaimable({ infoString }: FenceOpening): boolean {
    return this.#infoStrings.has(infoString);
  }
}

/** A text with the tags that may stand in it. */
export interface TaggedText {
  readonly text: string;
  readonly regions: RegionSyntax;
}
