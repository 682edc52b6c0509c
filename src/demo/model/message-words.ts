// Finds the word of a sentence that a string argument most likely means. Pure text rules, independent of tools and schemas.

/** The prepositions before a value, by the name of the argument. */
const PREPOSITIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['city', ['in', 'for', 'at', 'near']],
  ['location', ['in', 'for', 'at', 'near']],
  ['place', ['in', 'for', 'at', 'near']],
  ['from', ['from']],
  ['origin', ['from']],
  ['to', ['to']],
  ['destination', ['to']],
]);

/** The value of a place argument when the sentence names no place. */
const FALLBACK_PLACES: ReadonlyMap<string, string> = new Map([
  ['city', 'Oslo'],
  ['location', 'Oslo'],
  ['place', 'Oslo'],
  ['from', 'Oslo'],
  ['origin', 'Oslo'],
  ['to', 'Paris'],
  ['destination', 'Paris'],
]);

const NAME = String.raw`\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*`;

/** A word of the message for the argument `name`; never empty. */
export function wordFor(name: string, message: string): string {
  const key = name.toLowerCase();
  if (key === 'date') return dateIn(message);
  for (const preposition of PREPOSITIONS.get(key) ?? []) {
    const found = wordAfter(preposition, message);
    if (found !== undefined) return found;
  }
  return FALLBACK_PLACES.get(key) ?? nameIn(message) ?? lastWordOf(message);
}

/** A capitalised name is preferred to a lower-case word: `I want to fly from Oslo to Bergen`. */
function wordAfter(preposition: string, message: string): string | undefined {
  const named = new RegExp(String.raw`\b${preposition}\s+(${NAME})`, 'u').exec(message)?.[1];
  if (named !== undefined) return named;
  const plain = [...message.matchAll(new RegExp(String.raw`\b${preposition}\s+(\p{L}+)`, 'gu'))].at(-1)?.[1];
  return plain === undefined ? undefined : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** A capitalised name that is not at the beginning of a sentence. */
function nameIn(message: string): string | undefined {
  return new RegExp(String.raw`(?<=[^.!?\s]\s+)${NAME}`, 'u').exec(message)?.[0];
}

function dateIn(message: string): string {
  return /\d{4}-\d{2}-\d{2}/.exec(message)?.[0] ?? /\b(?:today|tomorrow)\b/i.exec(message)?.[0] ?? 'today';
}

function lastWordOf(message: string): string {
  const words = message.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.findLast((word) => word.length > 2) ?? words.at(-1) ?? 'example';
}
