// Reads the tool's name directly before a place where the token in front of the name was lost. Independent of formats.
import type { RescueContext } from '../core/rescue-context';

export interface NameBefore {
  name: string;
  start: number;
}

const LONGEST_NAME = 128;
const NAME_CHARACTER = /[\w.\-/\u00c0-\u1fff\u2c00-\ufeff]/;

/**
 * The word that ends at `end`, without the end of a sentence that is joined to it. Null when there is none. The name need
 * not be offered.
 */
export function readNameBefore(context: RescueContext, end: number): NameBefore | null {
  const { text, consumedTo, tools } = context;
  const limit = Math.max(consumedTo, end - LONGEST_NAME);
  let start = end;
  while (start > limit && NAME_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  context.meter.spend(start, end);
  if (start === end) return null;
  for (let from = start; from < end; from = nextPart(text, from, end)) {
    if (tools.resolve(text.slice(from, end))) return { name: text.slice(from, end), start: from };
  }
  return { name: text.slice(start, end), start };
}

/** The offset after the next dot, or where ASCII begins: in "I look.get_weather" a sentence is joined to the name. */
function nextPart(text: string, from: number, end: number): number {
  for (let at = from + 1; at < end; at += 1) {
    const before = text.charCodeAt(at - 1);
    if (before === 46 || (before > 127 && text.charCodeAt(at) < 128)) return at;
  }
  return end;
}

/**
 * The tool that a recipient such as `functions.get_weather` names, without the namespace that the format puts before every
 * name.
 */
export function toToolName(context: RescueContext, recipient: string): string {
  const exact = context.tools.resolve(recipient);
  if (exact && exact.repairs.length === 0) return recipient;
  return recipient.startsWith(NAMESPACE) ? recipient.slice(NAMESPACE.length) : recipient;
}

const NAMESPACE = 'functions.';
