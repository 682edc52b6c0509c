// Bounds what goes to the panel: every text is cut at a limit, with a word that says so. Knows no vscode.
import type { RunOutcome } from '../../protocol';
import type { CutTexts } from './cut-texts';
import { cutText } from './cut-texts';

/** UTF-16 units. The panel shows less; the rest is for copying. */
const MAX_TEXT = 200_000;
/** The conversation goes back to the model, so it is cut last. */
const MAX_CONTENT = 1_000_000;

type Cut = (text: string, limit: number) => string;

/**
 * @param outcome Redacted already: half a secret is not found by value.
 * @param texts Holds what is cut of the reply that the next request repeats.
 */
export function boundOutcome(outcome: RunOutcome, texts: CutTexts): RunOutcome {
  const bounded = bound(outcome, '', cutText) as RunOutcome;
  const { turn } = outcome;
  if (!turn || !bounded.turn) return bounded;
  const hold: Cut = (text, limit) => texts.cut(text, limit);
  const assistant = bound(turn.assistant, '', hold) as typeof turn.assistant;
  const toolCalls = bound(turn.toolCalls, '', hold) as typeof turn.toolCalls;
  return { ...bounded, turn: { ...bounded.turn, assistant, toolCalls } };
}

function bound(value: unknown, key: string, cut: Cut): unknown {
  if (typeof value === 'string') return cut(value, key === 'content' ? MAX_CONTENT : MAX_TEXT);
  if (Array.isArray(value)) return value.map((entry) => bound(entry, key, cut));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, bound(entry, name, cut)]));
}
