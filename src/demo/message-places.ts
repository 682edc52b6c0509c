// Finds the places a sentence names side by side, and says it again for each alone. Pure text rules; it knows no tool.

const PREPOSITION = String.raw`(?:in|for|at|near|to)`;
const NAME = String.raw`\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*`;
const WORD = String.raw`\p{L}+`;
const LINK = String.raw`(?:\s*,(?:\s*(?:and|or))?\s+|\s+(?:and|or|than|vs\.?|&)\s+)(?:${PREPOSITION}\s+)?`;

/** Names in capitals, wherever the list stands; lower-case words only where nothing follows that could be meant. */
const LISTS = [
  new RegExp(String.raw`(?<=\b${PREPOSITION}\s+)${NAME}(?:${LINK}${NAME})*`, 'u'),
  new RegExp(String.raw`(?<=\b${PREPOSITION}\s+)${WORD}(?:${LINK}${WORD})*(?=\s*[.!?]*$)`, 'u'),
];

const OTHER_PLACES = ['Oslo', 'Paris', 'Bergen'];

/**
 * The sentence once for each place it names in a row: of `in Oslo and Bergen?` come `in Oslo?` and `in Bergen?`.
 * The sentence alone when it names one place or none.
 */
export function splitPlaces(message: string): string[] {
  const list = findList(message);
  if (list === undefined) return [message];
  return list.split(new RegExp(LINK, 'u')).map((place) => message.replace(list, () => place));
}

/** The sentence about another place than the one it names. */
export function withOtherPlace(message: string): string {
  const other = OTHER_PLACES.find((place) => !message.toLowerCase().includes(place.toLowerCase())) ?? 'Rome';
  const list = findList(message);
  // The place that is taken for a sentence without any is the first of them.
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
