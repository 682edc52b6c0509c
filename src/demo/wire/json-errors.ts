// The error texts for invalid JSON of the servers: Go's encoding/json, C++'s nlohmann/json, and Python's orjson.
import type { JsonRead, JsonState } from './json-text';

type JsonFailure = Extract<JsonRead, { ok: false }>;

const GO_PLACES: Readonly<Record<JsonState, string>> = {
  value: 'looking for beginning of value',
  key: 'looking for beginning of object key string',
  separator: 'after object key',
  object: 'after object key:value pair',
  array: 'after array element',
};

export function toGoJsonError(text: string, failure: JsonFailure): string {
  if (text.trim() === '') return 'EOF';
  if (failure.isAtEnd) return 'unexpected EOF';
  return `invalid character '${text.charAt(failure.at)}' ${GO_PLACES[failure.state]}`;
}

const NLOHMANN_PLACES: Readonly<Record<JsonState, { name: string; expected: string }>> = {
  value: { name: 'value', expected: "'[', '{', or a literal" },
  key: { name: 'object key', expected: 'string literal' },
  separator: { name: 'object separator', expected: "':'" },
  object: { name: 'object', expected: "'}'" },
  array: { name: 'array', expected: "']'" },
};

export function toNlohmannError(text: string, failure: JsonFailure): string {
  const position = positionOf(text, failure.at);
  const prefix = `[json.exception.parse_error.101] parse error at ${position}: `;
  if (text === '') {
    return `${prefix}attempting to parse an empty input; check that your input string or stream contains the expected JSON`;
  }
  const place = NLOHMANN_PLACES[failure.state];
  const found = failure.isAtEnd ? 'unexpected end of input' : describe(text.charAt(failure.at));
  return `${prefix}syntax error while parsing ${place.name} - ${found}; expected ${place.expected}`;
}

/** The error of nlohmann/json when something follows the value. */
export function toNlohmannTrailingError(text: string, at: number): string {
  const found = describe(text.charAt(at));
  return `[json.exception.parse_error.101] parse error at ${positionOf(text, at)}: syntax error while parsing value - ${found}; expected end of input`;
}

export function toOrjsonError(text: string, failure: JsonFailure): string {
  const found = failure.isAtEnd ? 'unexpected end of data' : 'unexpected character';
  return `${found}: ${positionOf(text, failure.at).replace(',', '')} (char ${failure.at})`;
}

function describe(character: string): string {
  return '{}[]:,'.includes(character)
    ? `unexpected '${character}'`
    : `invalid literal; last read: '${character}'`;
}

/** Line and column start at 1; the column is that of the character that did not fit. */
function positionOf(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
