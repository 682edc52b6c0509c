// Bounds what goes to the panel: every text is cut at a limit, with a word that says so. Knows no vscode.
import type { RunOutcome } from '../../protocol';

/** UTF-16 units. The panel shows less; the rest is for copying. */
const MAX_TEXT = 200_000;
/** The conversation goes back to the model, so it is cut last. */
const MAX_CONTENT = 1_000_000;

/** @param outcome Redacted already: half a secret is not found by value. */
export function boundOutcome(outcome: RunOutcome): RunOutcome {
  return bound(outcome, '') as RunOutcome;
}

function bound(value: unknown, key: string): unknown {
  if (typeof value === 'string') return cut(value, key === 'content' ? MAX_CONTENT : MAX_TEXT);
  if (Array.isArray(value)) return value.map((entry) => bound(entry, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, bound(entry, name)]));
}

const cut = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (${text.length - limit} more characters are not kept)`;
