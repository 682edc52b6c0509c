// Recognises the labels at the start of a line that prompts for agents ask for: `Action:`, `**Action Input:**`, `Thought
// 2:`. Does not read names or values.

export type LabelKind = 'thought' | 'action' | 'input' | 'observation' | 'answer';

export interface ActionLabel {
  kind: LabelKind;
  /** `start` is the start of its line; `end` is after the colon and its decoration. */
  start: number;
  end: number;
  /** Offset of the colon. */
  colon: number;
  isDecorated: boolean;
}

const LONGEST_LABEL = 96;
const LABEL =
  /^[ \t]{0,32}(?:[-*+] |#{1,6} |\d{1,3}[.)] )?([*_"'`]{0,3})(thought|action[ _]?input|action|observation|final[ _]?answer)(?: ?#?\d{1,3})?([*_"'`]{0,3})[ \t]{0,2}([:：])([*_]{0,3})/i;

/** The label at the beginning of the line at `lineStart`; undefined when there is none. */
export function readLabel(text: string, lineStart: number): ActionLabel | undefined {
  const found = LABEL.exec(text.slice(lineStart, lineStart + LONGEST_LABEL));
  if (!found) return undefined;
  const [whole, before = '', word = '', , , after = ''] = found;
  const end = lineStart + whole.length;
  return {
    kind: toKind(word.toLowerCase().replaceAll(/[ _]/g, '')),
    start: lineStart,
    // After a label that is not bold, asterisks belong to the value.
    end: before === '' ? end - after.length : end,
    colon: end - after.length - 1,
    isDecorated: before !== '',
  };
}

/** The label that ends with the colon at `colon`; undefined when there is none. */
export function readLabelAt(text: string, colon: number, consumedTo: number): ActionLabel | undefined {
  const limit = Math.max(consumedTo, colon - LONGEST_LABEL);
  let start = colon;
  while (start > limit && text.charAt(start - 1) !== '\n' && text.charAt(start - 1) !== '>') start -= 1;
  const isLineStart = start === 0 || start === consumedTo || '\n>'.includes(text.charAt(start - 1));
  const label = isLineStart ? readLabel(text, start) : undefined;
  return label?.colon === colon ? label : undefined;
}

/**
 * The start of the first line after that of `from` which begins with a label, or closes a fence around all this; the length
 * of the text when there is none.
 */
export function findLabelOrFence(text: string, from: number): number {
  const isFence = isFenceAt(text, from);
  for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (readLabel(text, at + 1) || (!isFence && isFenceAt(text, at + 1))) return at + 1;
  }
  return text.length;
}

const isFenceAt = (text: string, at: number): boolean =>
  text.startsWith('```', at) || text.startsWith('~~~', at);

function toKind(word: string): LabelKind {
  if (word === 'actioninput') return 'input';
  if (word === 'finalanswer') return 'answer';
  return word === 'thought' || word === 'observation' ? word : 'action';
}
