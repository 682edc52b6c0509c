// Makes a format of tool calls from a spelling of JSON after an opener. Assembly only.
import { toBlockPattern } from '../candidates/start-patterns';
import type { RescueEvidence } from '../../../types';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';
import type { JsonSpelling } from './read-json-calls';
import { readJsonCalls, readUnopenedCalls } from './read-json-calls';

export interface JsonDialect extends JsonSpelling, Omit<RescueFormat, 'closers' | 'evidence' | 'parse'> {
  /** @default 'marker' */
  evidence?: RescueEvidence | undefined;
  /** Whether the closer alone shows that these were calls. */
  mayLoseOpener?: boolean | undefined;
  /** Distinguishes dialects that share an opener. @default all are ours */
  isOurs?(context: RescueContext, reading: FormatReading, opener: string): boolean;
  /** Reads emissions that begin differently; undefined for those that are read as usual. */
  read?(context: RescueContext, at: number, opener: string): FormatReading | null | undefined;
}

export function createJsonFormat(dialect: JsonDialect): RescueFormat {
  return {
    ...dialect,
    firstCharacters: dialect.firstCharacters ?? (dialect.mayLoseOpener ? '{[' : undefined),
    startPattern: dialect.startPattern ?? (dialect.mayLoseOpener ? toBlockPattern : undefined),
    evidence: dialect.evidence ?? 'marker',
    parse(context, at, opener) {
      const special = dialect.read?.(context, at, opener);
      if (special !== undefined) return special;
      if (opener === '') return readUnopenedCalls(context, at, dialect);
      const reading = readOpened(context, at, opener, dialect);
      return reading && (dialect.isOurs?.(context, reading, opener) ?? true) ? reading : null;
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
