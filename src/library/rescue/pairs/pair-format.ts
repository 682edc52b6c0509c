// Makes a format of tool calls from a spelling and the properties of a dialect. Assembly only.
import type { RescueRepair } from '../../../types';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';
import { readEmission, readEscapedEmission } from './read-emission';
import type { Emission, Traits } from './emission';
import type { PairSpelling } from './spelling';
import type { LabelStyle } from './tag';

export interface PairDialect extends Omit<RescueFormat, 'evidence' | 'parse'> {
  spelling: PairSpelling;
  /** Distinguishes dialects that share openers. @default all are ours */
  isOurs?(traits: Traits): boolean;
  /** Whether a call without its wrapper is damaged. */
  needsWrapper?: boolean;
  /** How the dialect writes the names of the tool and the keys in its tags; any other way is damage. */
  label?: LabelStyle;
  /** Reads emissions that begin differently; undefined for those that are read as usual. */
  read?(context: RescueContext, at: number, opener: string): Emission | FormatReading | null | undefined;
}

export function createPairFormat(dialect: PairDialect): RescueFormat {
  const parse = (context: RescueContext, at: number, opener: string): FormatReading | null => {
    const special = dialect.read?.(context, at, opener);
    const read = special === undefined ? readPossiblyEscaped(context, at, dialect.spelling) : special;
    if (!read || 'kind' in read) return read;
    return (dialect.isOurs?.(read.traits) ?? true) ? complete(dialect, read) : null;
  };
  return { ...dialect, evidence: 'marker', parse };
}

function readPossiblyEscaped(context: RescueContext, at: number, spelling: PairSpelling): Emission | null {
  const isEscaped = ESCAPED_BREAK.test(context.text.slice(at, at + LONGEST_HEAD));
  return (
    (isEscaped ? readEscapedEmission(context, at, spelling) : null) ?? readEmission(context, at, spelling)
  );
}

const LONGEST_HEAD = 192;
/** A line break that was written as two characters, directly after the tag or the name. */
const ESCAPED_BREAK = /^<[\w:]{1,32}>[\w.-]{0,128}\\n/;

/** Adds the damage that only the dialect recognises to the reading. */
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
