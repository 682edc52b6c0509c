// Parses JSON typed into a field and checks that a document accepts it; formats JSON for such a field. Pure.
import { t } from '@vscode/l10n';
import { DOCUMENT_LIMIT } from '../../src/protocol';

/** The value, or why there is none, as a sentence. */
export type TypedJson = { value: unknown; problem?: undefined } | { value?: undefined; problem: string };

/** Less than a document allows, because the value is nested some levels deep in it. */
const MAX_DEPTH = 150;
/** In characters; what fits into a line of a narrow panel. */
const MAX_LINE = 60;

export function parseJson(text: string): TypedJson {
  const tooLong = lengthProblem(text);
  if (tooLong) return { problem: tooLong };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: t('This is not JSON: {0}.', error instanceof Error ? error.message : String(error)) };
  }
  const problem = valueProblem(value);
  return problem === undefined ? { value } : { problem };
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** On one line if that is short, otherwise indented. */
export function showJson(value: unknown): string {
  const indented = JSON.stringify(value, null, 2) ?? '';
  // Line ends within strings are escaped, so these are only layout.
  const line = indented.replaceAll(/\n */g, ' ');
  return line.length <= MAX_LINE ? line : indented;
}

export function lengthProblem(text: string): string | undefined {
  return text.length > DOCUMENT_LIMIT.text ? t('This is longer than 2,000,000 characters.') : undefined;
}

/** Why a document refuses the value although it is valid JSON. */
function valueProblem(root: unknown): string | undefined {
  // Walks level by level without recursion: a deep value must not exhaust the stack.
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    const objects = level.filter((value) => typeof value === 'object' && value !== null);
    if (objects.length > 0 && depth >= MAX_DEPTH) return t('This is nested more than {0} deep.', MAX_DEPTH);
    if (objects.some((value) => Object.hasOwn(value, '__proto__'))) {
      return t('A key cannot be named `__proto__`.');
    }
    level = objects.flatMap((value): unknown[] => Object.values(value));
  }
  return undefined;
}
