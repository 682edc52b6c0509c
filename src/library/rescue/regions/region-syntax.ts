// What delimits the regions of a reply in addition to Markdown: reasoning tags, and the info strings of fences that may
// contain a call. Both are passed in.
import type { FenceOpening } from './fence';
import { groupByFirst, toLiteralSource, toPattern } from '../text/prefilter';
import { ReasoningTags } from './reasoning-tags';
import type { ReasoningTag, StrippedReasoning } from './reasoning-tags';

/** Info strings that are allowed in every dialect, because they do not name a programming language. */
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
  /** Matches where a reasoning tag may begin. */
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

  /** Whether a call may be in the fence: its info string does not name a programming language. */
  isClaimable({ infoString }: FenceOpening): boolean {
    return this.#infoStrings.has(infoString);
  }
}

/** A text, together with the tags that may occur in it. */
export interface TaggedText {
  readonly text: string;
  readonly regions: RegionSyntax;
}
