// Makes reasoning tags of the usual form: a name in angle brackets, in upper or lower case. Independent of models.
import type { ReasoningTag } from '../regions/reasoning-tags';

export const toReasoningElements = (...names: readonly string[]): ReasoningTag[] =>
  names.map((name) => ({ open: `<${name}>`, close: `</${name}>`, isFolded: true }));
