// The places at which code, a quote or thinking may begin or end. It decides nothing.
import { isAtLineStart } from './fence';
import { MarkRule, MarkSearch } from './mark-search';
import { findReasoningTag, REASONING_TAGS } from './reasoning-tags';

function createTagRule(first: string): MarkRule {
  const after = REASONING_TAGS.filter((tag) => tag.startsWith(first)).map((tag) =>
    tag.charAt(1).toLowerCase(),
  );
  return new MarkRule(first, [
    { after: after.join(''), isAt: (text, at) => findReasoningTag(text, at) !== undefined },
  ]);
}

const RULES: readonly MarkRule[] = [
  new MarkRule('`', [{}]),
  new MarkRule('~~~', [{}]),
  new MarkRule('>', [{ before: ' \n', isAt: isAtLineStart }]),
  createTagRule('<'),
  createTagRule('['),
];

/** All of them in a text. */
export const searchRegionMarks = (text: string): MarkSearch => new MarkSearch(text, RULES);
