// Names and values that stand for "no tool" or "put yours here". Knows no tool list.
import type { JsonRecord } from '../util/json';
import type { Refusal } from './rescue-format';

const FINAL_ANSWERS: ReadonlySet<string> = new Set([
  'final answer',
  'final_answer',
  'final-answer',
  'finalanswer',
  // Apertus
  'display_answers',
]);
const NO_TOOLS: ReadonlySet<string> = new Set([
  'none',
  'no_function',
  'no_tool',
  'no-tool',
  'null',
  'directly-answer',
  'directly_answer',
]);

const LONGEST_NAME_SHOWN = 64;

/** Says what a name that was not offered is. `isName`: a tool could be called so. */
export function describeUnknown(written: string): Refusal & { isName?: boolean } {
  const name = written.trim();
  if (name === '') return { reason: 'unknown-tool', detail: 'The call names no tool.' };
  const shown = name.length > LONGEST_NAME_SHOWN ? `${name.slice(0, LONGEST_NAME_SHOWN)}…` : name;
  const folded = name.toLowerCase();
  if (FINAL_ANSWERS.has(folded)) {
    return { reason: 'final-answer', detail: `\`${shown}\` is how the model marks its answer, not a tool.` };
  }
  if (NO_TOOLS.has(folded)) {
    return { reason: 'unknown-tool', detail: `\`${shown}\` is how the model says that it calls no tool.` };
  }
  if (isAngled(name)) {
    return {
      reason: 'unknown-tool',
      detail: `\`${shown}\` is a placeholder from a description of the format.`,
    };
  }
  return { reason: 'unknown-tool', detail: `\`${shown}\` was not offered in this request.`, isName: true };
}

/** Every argument is `...`, or in angle brackets what could be its own key: nobody calls a tool like that. */
export function isPlaceholderArguments(value: JsonRecord): boolean {
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([key, item]) => isAngled(key) || isPlaceholder(key, item));
}

function isPlaceholder(key: string, item: unknown): boolean {
  if (typeof item !== 'string') return false;
  if (item === '...' || item === '…') return true;
  const inner = isAngled(item) ? item.slice(1, -1).toLowerCase() : '';
  return inner !== '' && (inner === 'value' || inner === key.toLowerCase());
}

const isAngled = (text: string): boolean =>
  text.length > 2 && text.length <= LONGEST_NAME_SHOWN && text.startsWith('<') && text.endsWith('>');
