// Makes a format of tool calls out of a spelling and what is special about a dialect: pure assembly.
import type { RescueRepair } from '../../../types';
import type { Mark } from '../mark-search';
import type { RescueContext } from '../rescue-context';
import type { FormatReading, RescueFormat, WrittenCall } from '../rescue-format';
import { readEmission } from './read-emission';
import type { Emission, Traits } from './read-emission';
import type { PairSpelling } from './spelling';
import type { LabelStyle } from './tag';
import { checkWritten } from './write-pairs';

export interface PairDialect {
  id: string;
  title: string;
  nativeHint?: string;
  openers: readonly string[];
  firstCharacters?: string;
  /** As in `RescueFormat`. */
  anchor?: Mark;
  /** As in `RescueFormat`. */
  leads?: readonly string[] | undefined;
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
  const { id, title, nativeHint, openers, firstCharacters } = dialect;
  const parse = (context: RescueContext, at: number, opener: string): FormatReading | null => {
    const special = dialect.read?.(context, at, opener);
    const read = special === undefined ? readEmission(context, at, dialect.spelling) : special;
    if (!read || 'kind' in read) return read;
    return (dialect.isOurs?.(read.traits) ?? true) ? complete(dialect, read) : null;
  };
  return {
    id,
    title,
    nativeHint,
    openers,
    firstCharacters,
    anchor: dialect.anchor,
    leads: dialect.leads,
    evidence: 'marker',
    parse,
    write: (calls) => checkWritten(dialect.write(calls), calls, parse),
  };
}

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
