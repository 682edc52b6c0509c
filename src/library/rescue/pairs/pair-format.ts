// Makes a format of tool calls from a spelling and the properties of a dialect, and reads emissions in a spelling, once for
// all formats that share it.
import type { RescueRepair } from '../../../types';
import { RescueContext } from '../core/rescue-context';
import { toRejectionReading } from '../core/rescue-format';
import type { FormatReading, RescueFormat } from '../core/rescue-format';
import { unescapeOnce } from '../text/unescape';
import { EmissionReader } from './emission-reader';
import { addRepair } from './emission';
import type { EmissionHead, Emission, Traits } from './emission';
import { CallReader } from './read-call';
import { readHeadBefore } from './read-head';
import type { PairSpelling } from './tags/spelling';
import type { LabelStyle } from './tags/tag';
import { TagSource } from './tags/tag-source';

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
    const read =
      special === undefined
        ? (readEscapedEmission(context, at, dialect.spelling) ?? readEmission(context, at, dialect.spelling))
        : special;
    if (!read || 'kind' in read) return read;
    return (dialect.isOurs?.(read.traits) ?? true) ? complete(dialect, read) : null;
  };
  return { ...dialect, evidence: 'marker', parse };
}

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

/** Null when nothing in this spelling begins at `at`. */
export function readEmission(context: RescueContext, at: number, spelling: PairSpelling): Emission | null {
  const last = context.lastPairs;
  if (last?.at === at && last.spelling === spelling) return last.emission as Emission | null;
  const emission = new EmissionReader(context, spelling, at).read();
  context.lastPairs = { at, spelling, emission };
  return emission;
}

const LONGEST_HEAD = 192;
/** A line break that was written as two characters, directly after the tag or the name. */
const ESCAPED_BREAK = /^<([\w:]{1,32})>[\w.-]{0,128}\\n/;

/** Reads calls that were escaped as a whole, up to the closing tag of the first one. */
function readEscapedEmission(context: RescueContext, at: number, spelling: PairSpelling): Emission | null {
  const { text, tools, dialects, isCut, isEnded } = context;
  const [, name] = ESCAPED_BREAK.exec(text.slice(at, at + LONGEST_HEAD)) ?? [];
  const closer = name === undefined ? -1 : context.find(`</${name}>`, at);
  if (name === undefined || closer === -1) return null;
  const end = closer + name.length + 3;
  context.meter.spend(at, end);
  const piece = new RescueContext(unescapeOnce(text.slice(at, end)), { tools, dialects, isCut, isEnded });
  const emission = new EmissionReader(piece, spelling, 0).read();
  if (emission?.reading.kind !== 'calls' || emission.reading.failure) return null;
  const { reading, traits } = emission;
  const calls = reading.calls.map((call, index) => {
    const isLast = index === reading.calls.length - 1;
    const repairs = call.repairs.map((repair) => ({ ...repair, at }));
    return { ...call, repairs, start: at + index, end: isLast ? end : at + index + 1 };
  });
  const repairs = [{ kind: 'double-encoded', at }, ...reading.repairs.map((repair) => ({ ...repair, at }))];
  return { traits, reading: { ...reading, calls, repairs, start: at, end } };
}

/** Reads calls whose first opening tag is missing. @param head Where the name of the first call is. */
export function readHeadless(
  context: RescueContext,
  spelling: PairSpelling,
  head: EmissionHead,
): Emission | null {
  return new EmissionReader(context, spelling, head.start).read(head);
}

/** Reads pairs without the tag that opens the call, which some servers remove as a special token. Null without a name. */
export function readUnopened(context: RescueContext, at: number, spelling: PairSpelling): Emission | null {
  const head = readHeadBefore(context, at);
  const emission = head && readHeadless(context, spelling, head);
  return emission && addRepair(emission, { kind: 'missing-open-tag', at: emission.reading.start });
}

/**
 * Reads parameters without a call. They are rejected as a whole, so that nothing in their values is read as a call. Null
 * when they are not closed, as where a text describes the tag.
 */
export function readOrphan(context: RescueContext, at: number, spelling: PairSpelling): FormatReading | null {
  const traits: Traits = { styles: new Set() };
  const head = { start: at, end: at, name: '' };
  const read = new CallReader(new TagSource(context, spelling), head, traits).read();
  if ('kind' in read || read.isPartial || !traits.parameter) return null;
  const detail = `The parameters at offset ${at} have no tag before them that names a tool.`;
  return toRejectionReading(read, undefined, { reason: 'malformed', detail });
}
