// The usual way to write tags of reasoning: a name in angle brackets, in any case. Knows no model.
import type { ReasoningTag } from '../regions/reasoning-tags';

export const toThinkTags = (...names: readonly string[]): ReasoningTag[] =>
  names.map((name) => ({ open: `<${name}>`, close: `</${name}>`, isFolded: true }));
