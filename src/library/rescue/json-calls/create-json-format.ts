// Makes a format of tool calls out of a spelling of JSON behind an opener: pure assembly.
import { toBlockAnchor } from '../anchors';
import type { RescueEvidence } from '../../../types';
import type { RescueContext } from '../rescue-context';
import type { FormatReading, RescueFormat, WrittenCall } from '../rescue-format';
import type { JsonSpelling } from './json-spelling';
import { readJsonCalls, readUnopenedCalls } from './read-json-calls';

export interface JsonDialect extends JsonSpelling {
  id: string;
  title: string;
  nativeHint?: string | undefined;
  openers: readonly string[];
  /** Where a call may begin that has no opener at its start. */
  firstCharacters?: string | undefined;
  /** As in `RescueFormat`. */
  anchor?: RescueFormat['anchor'];
  /** As in `RescueFormat`. */
  needles?: readonly string[] | undefined;
  /** As in `RescueFormat`. */
  leads?: readonly string[] | undefined;
  /** @default 'marker' */
  evidence?: RescueEvidence | undefined;
  isSingle?: boolean | undefined;
  /** The closer alone tells that these were calls. */
  mayLoseOpener?: boolean | undefined;
  /** Dialects that share an opener tell themselves apart. @default all are ours */
  isOurs?(context: RescueContext, reading: FormatReading, opener: string): boolean;
  /** Reads what begins otherwise; undefined for the usual reading. */
  read?(context: RescueContext, at: number, opener: string): FormatReading | null | undefined;
  write(calls: readonly WrittenCall[]): string | undefined;
}

export function createJsonFormat(dialect: JsonDialect): RescueFormat {
  const { id, title, nativeHint, openers, evidence = 'marker', isSingle } = dialect;
  return {
    id,
    title,
    nativeHint,
    openers,
    firstCharacters: dialect.firstCharacters ?? (dialect.mayLoseOpener ? '{[' : undefined),
    anchor: dialect.anchor ?? (dialect.mayLoseOpener ? toBlockAnchor : undefined),
    needles: dialect.needles ?? (dialect.mayLoseOpener ? dialect.closers : undefined),
    leads: dialect.leads,
    evidence,
    isSingle,
    parse(context, at, opener) {
      const special = dialect.read?.(context, at, opener);
      if (special !== undefined) return special;
      if (opener === '') return readUnopenedCalls(context, at, dialect);
      const reading = readOpened(context, at, opener, dialect);
      return reading && (dialect.isOurs?.(context, reading, opener) ?? true) ? reading : null;
    },
    write: (calls) => dialect.write(calls),
  };
}

/** The opener as it is written, with what is around it. */
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
