// Formats paths of a document for messages, such as lanes[1].sampling.temperature, and finds line numbers. Repeats no value.
import { t } from '@vscode/l10n';
import { looksLikeSecret } from '../../protocol';

export type Path = readonly (string | number)[];

/** A problem in a text, with its position. */
export interface DocumentProblem {
  /** Starts at 1. */
  line: number;
  /** Starts at 1, in UTF-16 code units. */
  column: number;
  offset: number;
  /** A sentence that names the place. It repeats no value, which may be a secret. */
  message: string;
}

const MAX_KEY_LENGTH = 60;

export function formatPlace(path: Path): string {
  if (path.length === 0) return t('The document');
  return path.map(formatSegment).join('').replace(/^\./, '');
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  // A key from a file may have any length, and may be a secret that was put in the wrong place.
  const key = looksLikeSecret(segment) ? '…' : cut(segment);
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

const cut = (key: string): string => (key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key);

/** Counts lines as the editor does: they end at \n, \r\n or \r. */
export function toProblem(text: string, { offset, message }: Pick<DocumentProblem, 'offset' | 'message'>) {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const unit = text[at];
    if (unit !== '\n' && (unit !== '\r' || text[at + 1] === '\n')) continue;
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1, offset, message } satisfies DocumentProblem;
}

/** Counts lines as `toProblem` does, fast for many offsets. @returns the line of an offset, starting at 1 */
export function lineFinder(text: string): (offset: number) => number {
  const ends = Array.from(text.matchAll(/\r\n|[\n\r]/g), ({ 0: end, index }) => index + end.length);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? Infinity) <= offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
