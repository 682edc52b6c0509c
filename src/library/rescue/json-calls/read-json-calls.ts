// Reads whole calls in JSON after an opener: one object, a list, or several in a row, up to the closer; and makes formats
// of a spelling. The spelling is data; independent of particular formats.
import type { RescueEvidence, RescueRepair } from '../../../types';
import { isRecord } from '../../util/json';
import { toBlockPattern } from '../candidates/start-patterns';
import { readCallCloser } from '../core/call-closer';
import type { Closer } from '../core/call-closer';
import type { CallBlock } from '../core/json-reading';
import type { RescueContext } from '../core/rescue-context';
import { toFailedEmission } from '../core/rescue-format';
import type {
  CallsReading,
  FormatReading,
  ReadCall,
  RejectionReading,
  RescueFormat,
  WrittenCall,
} from '../core/rescue-format';
import { readBlocks, readCallBlock } from '../json/call-block';
import { readWholeJson } from '../json/read-json';
import { writeCallList } from '../json/write-json';
import { readFenceClosing, readFenceOpening } from '../regions/fence';
import type { FenceOpening } from '../regions/fence';
import { skipWhiteBefore } from '../text/cut-text';
import { findMatchEnd } from '../text/match-end';
import { skipWhite } from '../text/white-space';
import { readDamagedHeads } from './damaged-head';
import { readElementArguments } from './element-arguments';
import { decodeArguments } from './envelope';
import { ENVELOPE, readBlockCalls, readElementCalls, toRejection } from './read-calls';
import type { CallShape } from './read-calls';
import { findNextCall, skipToken } from './token';

export interface JsonSpelling {
  /** Tokens between the opener and the JSON, in this order. */
  tokens?: readonly string[] | undefined;
  /** Tokens after the JSON: the usual closer, then equivalent ones. Empty for a form that has only an opener. */
  closers: readonly string[];
  /** Whether a code fence around the JSON is usual in this form; elsewhere it is damage. */
  isFenced?: boolean | undefined;
  /** Where the calls are in the JSON. @default the shapes that models and servers give a call */
  shape?: CallShape | undefined;
  /** Kinds of damage that are usual in this form, such as the quotes of Python; these are not reported. */
  usual?: readonly string[] | undefined;
  /** Reads what the form writes between the JSON and its closer; undefined when that is missing. */
  readRest?:
    ((context: RescueContext, from: number, calls: readonly ReadCall[]) => JsonRest | undefined) | undefined;
}

export interface JsonRest {
  /** The calls, completed with what was read. */
  calls: readonly ReadCall[];
  end: number;
  failure?: RejectionReading | undefined;
}

const ESCAPED_BREAKS = /(?:\\[nr]){1,8}/y;
/** Whether a quote is open at the end of the line. */
const isInQuotes = (line: string): boolean =>
  ['"', "'"].some((quote) => line.slice(-LONGEST_LINE).split(quote).length % 2 === 0);

const LONGEST_LINE = 512;

/** Skips line breaks that were written as two characters. */
const skipEscapedBreaks = (text: string, at: number): number =>
  text.charAt(at) === '\\' ? findMatchEnd(ESCAPED_BREAKS, text, at) : at;

/** The first characters of an object, of a list, of a string that contains one, and of a fence around one. */
const BODY_STARTS = '{["\'“`~';

export interface JsonEmission {
  start: number;
  /** The literal that opened it, because some models repeat it to close it; '' when there is none. */
  opener: string;
  /** Offset after the opener. */
  from: number;
  /** Repairs of the opener. */
  repairs: readonly RescueRepair[];
}

interface Body {
  emission: JsonEmission;
  spelling: JsonSpelling;
  block: CallBlock;
  calls: readonly ReadCall[];
  repairs: readonly RescueRepair[];
}

/** Null when no JSON that could contain a call follows, so that the body belongs to another format. */
export function readJsonCalls(
  context: RescueContext,
  emission: JsonEmission,
  spelling: JsonSpelling,
): FormatReading | null {
  const { text } = context;
  const repairs: RescueRepair[] = [...emission.repairs];
  let from = skipWhite(text, skipTokens(text, emission.from, spelling, repairs));
  const breaksEnd = skipEscapedBreaks(text, from);
  // After an open quote, the whole call is a string of a program.
  if (breaksEnd > from && !isInQuotes(text.slice(context.findLineStart(emission.start), emission.start))) {
    repairs.push({ kind: 'double-encoded', at: from });
    from = skipWhite(text, breaksEnd);
  }
  if (!BODY_STARTS.includes(text.charAt(from)) || from >= text.length) return null;
  const whole = readWhole(context, { ...emission, from, repairs }, spelling);
  if (whole) return whole;
  const fence = '`~'.includes(text.charAt(from)) ? readFenceOpening(text, from) : undefined;
  if (fence && !spelling.isFenced) repairs.push({ kind: 'code-fence', at: from });
  if (fence) from = skipWhite(text, fence.bodyStart);
  const { shape = ENVELOPE } = spelling;
  const found = readFirstBlock(context, from, shape);
  if (!found) return null;
  const { block, calls } = found;
  if (block.start !== from) repairs.push({ kind: 'extra-opener', at: from });
  const body: Body = { emission, spelling, block, calls, repairs: [...repairs, ...block.repairs] };
  return block.failure ? toFailedReading(context, body) : toReading(context, body, fence);
}

/** Reads the usual case quickly: one object with the closer directly after it. Undefined in all other cases. */
function readWhole(
  context: RescueContext,
  { start, from, repairs }: JsonEmission,
  { closers: [closer], shape = ENVELOPE, usual }: JsonSpelling,
): CallsReading | undefined {
  const { text } = context;
  const at = closer === undefined || usual ? -1 : context.peek(closer, from);
  const end = skipWhiteBefore(text, at);
  if (closer === undefined || text.charCodeAt(from) !== 123 || text.charCodeAt(end - 1) !== 125)
    return undefined;
  const reading = readWholeJson(context, from, end);
  const calls = reading ? readElementCalls(context, { start: from, end, reading }, shape) : [];
  // Arguments that are text may be in another format.
  if (calls.length === 0 || calls.some((call) => typeof call.arguments === 'string')) return undefined;
  return { kind: 'calls', start, end: at + closer.length, calls, repairs, isOpen: false };
}

function toReading(context: RescueContext, body: Body, fence: FenceOpening | undefined): FormatReading {
  const { text } = context;
  const { block, spelling } = body;
  const { start } = body.emission;
  if (body.calls.length === 0 && block.elements.length > 0) {
    const detail = `The JSON at offset ${block.start} names no tool.`;
    return { kind: 'rejection', start, end: block.end, reason: 'malformed', detail };
  }
  const rest = spelling.readRest?.(context, block.end, body.calls);
  const calls = withoutUsual(readElementArguments(context, rest?.calls ?? body.calls), spelling);
  if (rest?.failure) return toFailedEmission({ start, calls, repairs: body.repairs }, rest.failure);
  const bodyEnd = rest?.end ?? block.end;
  const afterFence = fence ? readFenceClosing(text, bodyEnd, fence) : bodyEnd;
  const closer = readCloser(context, afterFence, body);
  const isFenceOpen = fence !== undefined && afterFence === bodyEnd && spelling.isFenced === true;
  if (isFenceOpen) closer.repairs.unshift({ kind: 'missing-close-tag', at: bodyEnd });
  const repairs = closer.repairs.length > 0 ? [...body.repairs, ...closer.repairs] : body.repairs;
  const isOpen = block.isOpen || closer.isOpen || (isFenceOpen && skipWhite(text, bodyEnd) >= text.length);
  return { kind: 'calls', start, end: closer.end, calls, repairs, isOpen };
}

interface BlockCalls {
  block: CallBlock;
  calls: readonly ReadCall[];
}

/** The block at `from`, or at the second of two equal brackets. If it has no usable call, the head of one may be damaged. */
function readFirstBlock(context: RescueContext, from: number, shape: CallShape): BlockCalls | null {
  const block = readBlocks(context, from, shape.role) ?? readDoubled(context, from, shape);
  const calls = block ? readBlockCalls(context, block, shape) : [];
  const isWhole = calls.length > 0 && !block?.failure && calls.every((call) => isComplete(context, call));
  const isAll = isWhole && context.text.charAt(skipWhite(context.text, block?.end ?? from)) !== '{';
  const mended = shape === ENVELOPE && !isAll ? readDamagedHeads(context, from) : null;
  if (mended) return { block: mended, calls: readBlockCalls(context, mended, shape) };
  return block && { block, calls };
}

const isComplete = (context: RescueContext, call: ReadCall): boolean =>
  context.isTool(call.name) && isRecord(decodeArguments(call.arguments));

/** Reads the block that begins at the second of two equal brackets. */
function readDoubled(context: RescueContext, from: number, { role }: CallShape): CallBlock | null {
  const bracket = context.text.charAt(from);
  const second = skipWhite(context.text, from + 1);
  const isDoubled = '{['.includes(bracket) && context.text.charAt(second) === bracket;
  return isDoubled ? readBlocks(context, second, role) : null;
}

/** A call that cannot be read affects no others: the walk continues after its closer. */
function toFailedReading(context: RescueContext, body: Body): FormatReading | null {
  const { block, spelling, calls, repairs } = body;
  const { start, from, opener } = body.emission;
  const last = calls.at(-1)?.end;
  const isTruncated = block.failure?.reason === 'truncated';
  const found = findNextCall(context, last ?? from, spelling.closers[0], opener || undefined);
  const isInside = found !== undefined && isTruncated && goesOnBehind(context, found);
  const next = isInside ? undefined : found;
  const end = next ?? context.findLineEnd(block.end);
  const failure = toRejection(block, last ?? start, end, next === undefined, spelling.shape);
  return failure ? toFailedEmission({ start, calls: withoutUsual(calls, spelling), repairs }, failure) : null;
}

/** Reads calls whose opener is missing, while body and closer are there: many servers remove it as a special token. */
export function readUnopenedCalls(
  context: RescueContext,
  at: number,
  spelling: JsonSpelling,
): CallsReading | null {
  const { shape = ENVELOPE, closers } = spelling;
  // Many formats try this at every bracket and share one reading of the block. A format with another role first looks for
  // its closers.
  if (shape.role !== 'call' && !closers.some((token) => context.peek(token, at) !== -1)) return null;
  const block = readCallBlock(context, at, shape.role);
  if (!block || block.failure || block.isOpen) return null;
  const next = skipWhite(context.text, block.end);
  const closer = closers.find((token) => context.text.startsWith(token, next));
  const calls = closer === undefined ? [] : readBlockCalls(context, block, shape);
  if (closer === undefined || calls.length === 0) return null;
  const repairs = [{ kind: 'missing-open-tag', at }, ...block.repairs];
  return { kind: 'calls', start: at, end: next + closer.length, calls, repairs, isOpen: false };
}

function skipTokens(
  text: string,
  from: number,
  { tokens = [] }: JsonSpelling,
  repairs: RescueRepair[],
): number {
  let at = from;
  for (const token of tokens) {
    const end = skipToken(text, at, token);
    if (end === -1) repairs.push({ kind: 'missing-open-tag', at });
    else at = end;
  }
  return at;
}

function readCloser(context: RescueContext, from: number, { emission, spelling }: Body): Closer {
  const { text } = context;
  const [usual] = spelling.closers;
  if (usual === undefined) return { end: from, repairs: [], isOpen: false };
  const at = skipWhite(text, from);
  const breaksEnd = skipEscapedBreaks(text, at);
  const end = skipToken(text, breaksEnd, spelling.closers);
  const repairs = breaksEnd > at ? [{ kind: 'double-encoded', at }] : [];
  if (end !== -1) return { end, repairs, isOpen: false };
  const again = emission.opener === '' ? -1 : skipToken(text, from, emission.opener);
  if (again === -1) return readCallCloser(context, from, usual);
  if (opensNext(text, again, emission.opener))
    return { end: from, repairs: [{ kind: 'missing-close-tag', at: from }], isOpen: false };
  return { end: again, repairs: [{ kind: 'wrong-close-tag', at: skipWhite(text, from) }], isOpen: false };
}

/** Whether a repeated opener opens the next call; otherwise it closes this one. */
function opensNext(text: string, after: number, opener: string): boolean {
  const next = skipWhite(text, after);
  return next < text.length && !text.startsWith(opener, next);
}

function withoutUsual(calls: readonly ReadCall[], { usual }: JsonSpelling): readonly ReadCall[] {
  if (!usual) return calls;
  return calls.map((call) => ({
    ...call,
    repairs: call.repairs.filter(({ kind }) => !usual.includes(kind)),
  }));
}

/** A string without an end may contain the closer: if words follow directly, the text is still inside the string. */
const goesOnBehind = ({ text }: RescueContext, closerEnd: number): boolean =>
  /^[ \t]*[^\s<[]/.test(text.slice(closerEnd, closerEnd + 16));

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
