// Makes a format of tool calls from a spelling of JSON after an opener. Assembly only.
import { toBlockPattern } from '../candidates/start-patterns';
import type { RescueEvidence } from '../../../types';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { writeCallList } from '../json/write-json';
import type { JsonSpelling } from './read-json-calls';
import { readJsonCalls, readUnopenedCalls } from './read-json-calls';

export interface JsonDialect
  extends Omit<JsonSpelling, 'closers'>, Omit<RescueFormat, 'closers' | 'evidence' | 'parse' | 'write'> {
  /** Any of them alone shows that JSON before it is a call, even without its opener. @default none */
  closers?: readonly string[];
  /** Further tokens that models write in place of a closer; they are damage. */
  wrongClosers?: readonly string[];
  /** @default 'marker' */
  evidence?: RescueEvidence;
  /** Distinguishes dialects that share an opener. @default all are ours */
  isOurs?(context: RescueContext, reading: FormatReading): boolean;
  /** Reads emissions that begin differently; undefined for those that are read as usual. */
  read?(context: RescueContext, at: number, opener: string): FormatReading | null | undefined;
  /** @default a list between the first opener and the first closer */
  write?(calls: readonly WrittenCall[]): string;
}

export function createJsonFormat(dialect: JsonDialect): RescueFormat {
  const { closers = [], wrongClosers = [] } = dialect;
  const [open = ''] = dialect.openers;
  const [close = ''] = closers;
  const spelling: JsonSpelling = { ...dialect, closers };
  return {
    ...(closers.length > 0 && { firstCharacters: '{[', startPattern: toBlockPattern }),
    evidence: 'marker',
    write: (calls) => `${open}${writeCallList(calls)}${close}`,
    ...dialect,
    closers: [...closers, ...wrongClosers],
    parse(context, at, opener) {
      const special = dialect.read?.(context, at, opener);
      if (special !== undefined) return special;
      if (opener === '') return readUnopenedCalls(context, at, spelling);
      const reading = readOpened(context, at, opener, spelling);
      return reading && (dialect.isOurs?.(context, reading) ?? true) ? reading : null;
    },
  };
}

/** Reads an emission whose opener may be written in another case. */
export function readOpened(
  context: RescueContext,
  at: number,
  opener: string,
  spelling: JsonSpelling,
): FormatReading | null {
  const from = at + opener.length;
  const isUsual = context.text.startsWith(opener, at);
  const repairs = isUsual ? [] : [{ kind: 'tag-alias', at }];
  return readJsonCalls(context, { start: at, opener, from, repairs }, spelling);
}
