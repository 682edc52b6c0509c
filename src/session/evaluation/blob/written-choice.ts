// Reads what was chosen of an evaluation, as a command line or a blob has it. Pure; linear in what it reads.
import type { DataRow } from '../../rows/data-row';
import type { BatchChoice } from '../batch';
import type { WrittenChoice } from './blob-lines';

/** What was chosen, and what of it nothing had so far. */
export interface WrittenBatchChoice extends Pick<BatchChoice, 'lanes' | 'isRow'> {
  /** Names of rows and tags, as they were written, that fit no row that `isRow` was asked about. */
  unknown: () => { rows: readonly string[]; tags: readonly string[] };
}

export function toBatchChoice({ lane, row, tag }: WrittenChoice): WrittenBatchChoice {
  const lanes = toList(lane)?.map(withoutBackslashes);
  const rows = toList(row);
  const fits = rows?.map(toPattern);
  const tags = toList(tag)?.map(withoutBackslashes);
  const unknown = { rows: new Set(rows), tags: new Set(tags) };
  const isRow = ({ id, name = id, tags: has }: DataRow): boolean => {
    const fitting = rows?.filter((_row, index) => fits?.[index]?.(id) || fits?.[index]?.(name));
    const tagged = tags?.filter((one) => has.includes(one));
    for (const one of fitting ?? []) unknown.rows.delete(one);
    for (const one of tagged ?? []) unknown.tags.delete(one);
    return fitting?.length !== 0 && tagged?.length !== 0;
  };
  return {
    ...(lanes && { lanes }),
    ...((rows ?? tags) && { isRow }),
    unknown: () => ({ rows: [...unknown.rows], tags: [...unknown.tags] }),
  };
}

/** Separated by commas. A backslash takes the meaning from the comma, asterisk or backslash behind it. */
function toList(values: readonly string[] | undefined): string[] | undefined {
  const list = values?.flatMap((value) => value.match(/(?:\\.|[^\\,]|\\$)+/gsu) ?? []);
  return list?.map((each) => each.trim()).filter((each) => each !== '');
}

const ESCAPED = /\\([,*\\])/g;
const withoutBackslashes = (text: string): string => text.replaceAll(ESCAPED, '$1');

/** `*` stands for any text. Not an expression of the language, which many asterisks would slow down. */
function toPattern(glob: string): (text: string) => boolean {
  const parts = [''];
  for (const piece of glob.split(/(\\[,*\\]|\*)/))
    if (piece === '*') parts.push('');
    else parts[parts.length - 1] += withoutBackslashes(piece);
  const [first = '', ...others] = parts;
  const last = others.pop();
  return (text) => {
    if (last === undefined) return text === first;
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of others) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - at >= last.length && text.endsWith(last);
  };
}
