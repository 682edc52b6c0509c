// Picks the word of a sentence that a string argument most likely means. Pure text rules; it knows no tool and no schema.

/** Which prepositions introduce what, by the argument's name. */
const PREPOSITIONS: Readonly<Record<string, readonly string[]>> = {
  city: ['in', 'for', 'at', 'near'],
  location: ['in', 'for', 'at', 'near'],
  place: ['in', 'for', 'at', 'near'],
  from: ['from'],
  origin: ['from'],
  to: ['to'],
  destination: ['to'],
};

/** What a place argument becomes when the sentence names none. */
const FALLBACK_PLACES: Readonly<Record<string, string>> = {
  city: 'Oslo',
  location: 'Oslo',
  place: 'Oslo',
  from: 'Oslo',
  origin: 'Oslo',
  to: 'Paris',
  destination: 'Paris',
};

const NAME = String.raw`\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*`;

/** A word of the message for the argument `name`; never empty. */
export function wordFor(name: string, message: string): string {
  const key = name.toLowerCase();
  if (key === 'date') return dateIn(message);
  for (const preposition of PREPOSITIONS[key] ?? []) {
    const found = wordAfter(preposition, message);
    if (found !== undefined) return found;
  }
  return FALLBACK_PLACES[key] ?? nameIn(message) ?? lastWordOf(message);
}

/** A name in capitals wins over a lower-case word: `I want to fly from Oslo to Bergen`. */
function wordAfter(preposition: string, message: string): string | undefined {
  const named = new RegExp(String.raw`\b${preposition}\s+(${NAME})`, 'u').exec(message)?.[1];
  if (named !== undefined) return named;
  const plain = [...message.matchAll(new RegExp(String.raw`\b${preposition}\s+(\p{L}+)`, 'gu'))].at(-1)?.[1];
  return plain === undefined ? undefined : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** A name that does not merely begin the sentence. */
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
