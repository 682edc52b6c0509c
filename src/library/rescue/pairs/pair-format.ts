// Makes a format of tool calls out of a spelling and what is special about a dialect: pure assembly.
import type { RescueRepair } from '../../../types';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { readEmission, readEscapedEmission } from './read-emission';
import type { Emission, Traits } from './emission-reader';
import type { PairSpelling } from './spelling';
import type { LabelStyle } from './tag';
import { checkWritten } from './write-pairs';

export interface PairDialect extends Omit<RescueFormat, 'evidence' | 'parse' | 'write'> {
  spelling: PairSpelling;
  /** Dialects that share openers tell themselves apart. @default all are ours */
  isOurs?(traits: Traits): boolean;
  /** A call without its wrapper is damaged. */
  needsWrapper?: boolean;
  /** How the dialect writes tool and keys in its tags; another way is damage. */
  label?: LabelStyle;
  /** Reads what begins otherwise; undefined for the usual reading. */
  read?(context: RescueContext, at: number, opener: string): Emission | FormatReading | null | undefined;
  write(calls: readonly WrittenCall[]): string;
}

export function createPairFormat(dialect: PairDialect): RescueFormat {
  const parse = (context: RescueContext, at: number, opener: string): FormatReading | null => {
    const special = dialect.read?.(context, at, opener);
    const read = special === undefined ? readPossiblyEscaped(context, at, dialect.spelling) : special;
    if (!read || 'kind' in read) return read;
    return (dialect.isOurs?.(read.traits) ?? true) ? complete(dialect, read) : null;
  };
  return {
    ...dialect,
    evidence: 'marker',
    parse,
    write: (calls, dialects) => checkWritten(dialect.write(calls), calls, { parse, dialects }),
  };
}

function readPossiblyEscaped(context: RescueContext, at: number, spelling: PairSpelling): Emission | null {
  const isEscaped = ESCAPED_BREAK.test(context.text.slice(at, at + LONGEST_HEAD));
  return (
    (isEscaped ? readEscapedEmission(context, at, spelling) : null) ?? readEmission(context, at, spelling)
  );
}

const LONGEST_HEAD = 192;
/** A line break that was written as two characters, right after the tag or the name. */
const ESCAPED_BREAK = /^<[\w:]{1,32}>[\w.-]{0,128}\\n/;

/** The reading with the damage that only the dialect knows for one. */
function complete(dialect: PairDialect, { reading, traits }: Emission): FormatReading {
  if (reading.kind !== 'calls') return reading;
  const repairs: RescueRepair[] = [...reading.repairs];
  const at = reading.start;
  if (dialect.needsWrapper && !traits.wrapper) repairs.unshift({ kind: 'missing-open-tag', at });
  for (const style of traits.styles) {
    if (dialect.label === undefined || style === dialect.label) continue;
    const isQuote = style === 'single-quoted' && dialect.label === 'attribute';
    repairs.push({ kind: isQuote ? 'single-quotes' : 'attribute-form', at });
  }
  return { ...reading, repairs };
}
