// Labels at the start of a line, as prompts for agents ask for them: `Action:`, `**Action Input:**`, `Thought 2:`.
// Knows neither names nor values.

export type LabelKind = 'thought' | 'action' | 'input' | 'observation' | 'answer';

export interface ActionLabel {
  kind: LabelKind;
  /** The start of its line, and the place after the colon and what decorates it. */
  start: number;
  end: number;
  /** Where the colon stands. */
  colon: number;
  isDecorated: boolean;
}

const LONGEST_LABEL = 96;
const LABEL =
  /^[ \t]{0,32}(?:[-*+] |#{1,6} |\d{1,3}[.)] )?([*_"'`]{0,3})(thought|action[ _]?input|action|observation|final[ _]?answer)(?: ?#?\d{1,3})?([*_"'`]{0,3})[ \t]{0,2}([:：])([*_]{0,3})/i;

/** The label with which the line at `lineStart` begins. */
export function readLabel(text: string, lineStart: number): ActionLabel | undefined {
  const found = LABEL.exec(text.slice(lineStart, lineStart + LONGEST_LABEL));
  if (!found) return undefined;
  const [whole, before = '', word = '', , , after = ''] = found;
  const end = lineStart + whole.length;
  return {
    kind: toKind(word.toLowerCase().replaceAll(/[ _]/g, '')),
    start: lineStart,
    // after a label that is not bold, asterisks are the value's
    end: before === '' ? end - after.length : end,
    colon: end - after.length - 1,
    isDecorated: before !== '',
  };
}

/** The label that the colon at `colon` ends. */
export function readLabelAt(text: string, colon: number, consumedTo: number): ActionLabel | undefined {
  const limit = Math.max(consumedTo, colon - LONGEST_LABEL);
  let start = colon;
  while (start > limit && text.charAt(start - 1) !== '\n' && text.charAt(start - 1) !== '>') start -= 1;
  const isLineStart = start === 0 || start === consumedTo || '\n>'.includes(text.charAt(start - 1));
  const label = isLineStart ? readLabel(text, start) : undefined;
  return label?.colon === colon ? label : undefined;
}

/**
 * The first line after the one of `from` that begins with a label, or that closes a fence around all this; the text's
 * length when there is none.
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
