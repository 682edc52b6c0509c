// Finds places that a sentence lists, and repeats the sentence for each of them. Pure text rules, independent of tools.

const PREPOSITION = String.raw`(?:in|for|at|near|to)`;
const NAME = String.raw`\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*`;
const WORD = String.raw`\p{L}+`;
const LINK = String.raw`(?:\s*,(?:\s*(?:and|or))?\s+|\s+(?:and|or|than|vs\.?|&)\s+)(?:${PREPOSITION}\s+)?`;

/**
 * Capitalised names anywhere in the sentence; words in lower case only at its end, where nothing that follows could be
 * meant.
 */
const LISTS = [
  new RegExp(String.raw`(?<=\b${PREPOSITION}\s+)${NAME}(?:${LINK}${NAME})*`, 'u'),
  new RegExp(String.raw`(?<=\b${PREPOSITION}\s+)${WORD}(?:${LINK}${WORD})*(?=\s*[.!?]*$)`, 'u'),
];

const OTHER_PLACES = ['Oslo', 'Paris', 'Bergen'];

/**
 * The sentence once for each place in the list: `in Oslo and Bergen?` becomes `in Oslo?` and `in Bergen?`. Only the sentence
 * itself when it names at most one place.
 */
export function splitPlaces(message: string): string[] {
  const list = findList(message);
  if (list === undefined) return [message];
  return list.split(new RegExp(LINK, 'u')).map((place) => message.replace(list, () => place));
}

/** The sentence with another place than the one it names. */
export function withOtherPlace(message: string): string {
  const other = OTHER_PLACES.find((place) => !message.toLowerCase().includes(place.toLowerCase())) ?? 'Rome';
  const list = findList(message);
  // A sentence without a place means the first of `OTHER_PLACES`, so that one cannot be the other place.
  return list === undefined
    ? `${message} in ${other === 'Oslo' ? 'Paris' : other}`
    : message.replace(list, () => other);
}

function findList(message: string): string | undefined {
  for (const list of LISTS) {
    const found = list.exec(message)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
