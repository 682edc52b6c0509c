// Many literal strings as one pattern in which no beginning is tried twice.

/** Source of a regular expression that matches the shortest of the literals at a place; it captures nothing. */
export function toPattern(literals: Iterable<string>): string {
  const byFirst = new Map<string, string[]>();
  for (const literal of literals) {
    if (literal === '') return '';
    const rests = byFirst.get(literal.charAt(0)) ?? [];
    rests.push(literal.slice(1));
    byFirst.set(literal.charAt(0), rests);
  }
  const branches = [...byFirst].map(([first, rests]) => escape(first) + toPattern(rests));
  return branches.length === 1 ? (branches[0] ?? '') : `(?:${branches.join('|')})`;
}

const escape = (character: string): string =>
  /[\w\s]/.test(character) || character.charCodeAt(0) > 127 ? character : `\\${character}`;
