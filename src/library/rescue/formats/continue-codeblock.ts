// Calls of Continue: a `tool` fence with `TOOL_NAME:`, and each argument on lines of its own between `BEGIN_ARG:` and
// `END_ARG`.
import { createLabelPattern } from '../candidates/start-patterns';
import { readFenceClosing, readFenceOpening } from '../regions/fence';
import type { FenceOpening } from '../regions/fence';
import { startsLine } from '../regions/line-position';
import { countEdits } from '../text/edit-distance';
import { skipWhite } from '../text/white-space';
import { rejectCut } from '../core/refusals';
import { CallArguments } from '../pairs/call/call-arguments';
import { FUNCTION_SPELLING } from './element-tags';
import { writePairs, writeText } from '../pairs/write-pairs';
import { toFailedEmission, toRejectionReading } from '../core/rescue-format';
import type { RescueContext } from '../core/rescue-context';
import type {
  FormatReading,
  ReadCall,
  RejectionReading,
  RescueFormat,
  WrittenCall,
} from '../core/rescue-format';

const NAME = 'TOOL_NAME';
const BEGIN = 'BEGIN_ARG:';
const END = 'END_ARG';
const INFO_STRING = 'tool';
const LONGEST_LINE = 256;
/** The key of an argument: the rest of its line, the break included. */
const KEY = /^[^\n]*\n/;
const BLOCK_AGAIN = /\n(`{3,}|~{3,})\s*\n(\1tool[ \t]*)$/;

export const continueCodeblock: RescueFormat = {
  id: 'continue-codeblock',
  title: 'Continue: TOOL_NAME and BEGIN_ARG in a `tool` fence',
  openers: ['```', '~~~'],
  firstCharacters: ':',
  startPattern: createLabelPattern(`${NAME}:`),
  leads: [`^${NAME}`],
  evidence: 'label',
  parse: (context, at, opener) => (opener === '' ? parseUnfenced(context, at) : parseFenced(context, at)),
  write: (calls) => calls.map(writeCall).join('\n'),
};

function parseFenced(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const fence = startsLine(context, at) ? readFenceOpening(text, at) : undefined;
  if (fence?.infoString !== INFO_STRING && fence?.infoString !== '') return null;
  const nameAt = skipWhite(text, fence.bodyStart);
  return text.startsWith(`${NAME}:`, nameAt) ? new CodeblockReader(context, at, fence).read(nameAt) : null;
}

/** Reads the lines of a call without the fence around them. */
function parseUnfenced(context: RescueContext, colon: number): FormatReading | null {
  const { text, consumedTo } = context;
  const at = colon - NAME.length;
  if (at < consumedTo || !text.startsWith(NAME, at) || !startsLine(context, at)) return null;
  return new CodeblockReader(context, at, undefined).read(at);
}

class CodeblockReader {
  readonly #context: RescueContext;
  readonly #text: string;
  readonly #start: number;
  readonly #fence: FenceOpening | undefined;
  readonly #calls: ReadCall[] = [];
  #failure: RejectionReading | undefined;
  #at: number;
  /** Whether only a fence ended a value. If the reply was cut, that fence may be part of the value. */
  #isGuessed = false;

  constructor(context: RescueContext, start: number, fence: FenceOpening | undefined) {
    this.#context = context;
    this.#text = context.text;
    this.#start = start;
    this.#fence = fence;
    this.#at = start;
  }

  read(nameAt: number): FormatReading | null {
    this.#at = nameAt;
    while (!this.#failure && this.#text.startsWith(`${NAME}:`, skipWhite(this.#text, this.#at))) {
      if (!this.#readCall()) break;
    }
    this.#context.meter.spend(this.#start, this.#at);
    const [calls, failure] = [this.#calls, this.#failure];
    if (calls.length === 0 && !failure) return null;
    const end = this.#fence && !failure ? readFenceClosing(this.#text, this.#at, this.#fence) : this.#at;
    const isClosed = end > this.#at;
    const isAtEnd = skipWhite(this.#text, end) >= this.#text.length;
    // A fence without its info string may contain any example.
    const isUnlabelled = this.#fence?.infoString === '';
    const damage = this.#fence ? 'tag-alias' : 'missing-open-tag';
    const repairs = this.#fence && !isUnlabelled ? [] : [{ kind: damage, at: this.#start }];
    const evidence = isUnlabelled ? ('shape' as const) : undefined;
    const isOpen = (!isClosed || this.#isGuessed) && isAtEnd;
    const wrapped = { kind: 'calls' as const, start: this.#start, calls, repairs, evidence, isOpen };
    return failure ? toFailedEmission(wrapped, failure) : { ...wrapped, end };
  }

  /** False when the call failed, has no name, or has neither arguments nor a fence that shows that it is a call. */
  #readCall(): boolean {
    const start = skipWhite(this.#text, this.#at);
    const name = this.#readLine(start + NAME.length + 1);
    if (name === undefined || name === '') return false;
    const values = new CallArguments(this.#context, FUNCTION_SPELLING, name);
    while (!this.#failure && this.#text.startsWith(BEGIN, skipWhite(this.#text, this.#at)))
      this.#failure = this.#readArgument(values, start);
    if (!this.#failure && this.#isMarkerCut()) this.#failure = this.#cut(name, start, 'a key');
    if (this.#failure) return false;
    const isClosed = this.#fence && readFenceClosing(this.#text, this.#at, this.#fence) > this.#at;
    if (values.isEmpty && !this.#fence) return false;
    const next = skipWhite(this.#text, this.#at);
    const isPartial = isClosed !== true && next >= this.#text.length;
    const nextEnd = isClosed === true ? -1 : this.#findEndBehind(this.#at);
    if (nextEnd !== -1) {
      const detail = `The call of \`${name}\` breaks at offset ${next}: expected \`${BEGIN}\` or the end of the fence.`;
      const span = { start, end: nextEnd + END.length + 1 };
      this.#failure = toRejectionReading(span, name, { reason: 'malformed', detail });
      return false;
    }
    this.#calls.push(values.finish({ start, end: this.#at }, isPartial));
    return true;
  }

  /** Whether the text ends inside the word that begins the next argument. */
  #isMarkerCut(): boolean {
    const rest = this.#text.slice(skipWhite(this.#text, this.#at)).slice(0, BEGIN.length);
    return rest !== '' && BEGIN.startsWith(rest) && this.#text.endsWith(rest);
  }

  /**
   * The value ends at `END_ARG`, or at the next argument if that comes first. Without both, a value of one line ends at the
   * fence that ends the text. Undefined when this worked, otherwise why the call cannot be read.
   */
  #readArgument(values: CallArguments, start: number): RejectionReading | undefined {
    const key = this.#readLine(skipWhite(this.#text, this.#at) + BEGIN.length);
    if (key === undefined || key === '') return this.#cut(values.name, start, 'a key');
    const from = this.#at;
    const close = this.#findEnd(from);
    const next = this.#context.find(`\n${BEGIN}`, from);
    const isNext = next !== -1 && (close === -1 || next < close) && this.#isNewKey(values, next + 1);
    const marked = isNext ? next : close;
    const block = this.#findNextBlock(from, marked);
    if (block !== -1) {
      const detail = `The call of \`${values.name}\` breaks inside the value \`${key}\`: no \`${END}\` ends it before the next call.`;
      return toRejectionReading({ start, end: block }, values.name, { reason: 'malformed', detail });
    }
    const end = marked === -1 ? this.#findLastFence(from) : marked + 1;
    if (end === -1) return this.#cut(values.name, start, `the value \`${key}\``);
    const written = this.#text.slice(from, end);
    const text = isNext ? cutGarbledEnd(written) : written;
    if (text !== written) values.log.add('broken-tag', from + text.length);
    else if (isNext || marked === -1) values.log.add('missing-close-tag', end);
    values.add(key, { text, at: from, hint: {}, isClosed: true });
    const marker = skipWhite(this.#text, end);
    this.#at = this.#text.startsWith(END, marker) ? marker + END.length : end;
    return undefined;
  }

  /** Start of a fence before `to` that opens the next block directly after the fence that closes this one; otherwise -1. */
  #findNextBlock(from: number, to: number): number {
    const name = this.#context.peek(`\n${NAME}:`, from);
    if (name === -1 || (to !== -1 && name > to)) return -1;
    const piece = this.#text.slice(Math.max(from, name - LONGEST_LINE), name);
    const found = BLOCK_AGAIN.exec(piece);
    return found ? name - (found[2] ?? '').length : -1;
  }

  #findEnd(from: number): number {
    return this.#context.find(`\n${END}`, from);
  }

  /** Where an argument ends whose beginning is damaged, in this paragraph and before the next call; -1 when none does. */
  #findEndBehind(at: number): number {
    const stops = ['\n\n', `${NAME}:`].map((stop) => this.#context.peek(stop, at));
    const limit = Math.min(...stops.filter((stop) => stop !== -1));
    const end = limit === Infinity ? this.#findEnd(at) : this.#context.peek(`\n${END}`, at);
    return end < limit ? end : -1;
  }

  #isNewKey(values: CallArguments, at: number): boolean {
    const [key = ''] = KEY.exec(this.#text.slice(at + BEGIN.length, at + LONGEST_LINE)) ?? [];
    return values.declares(key.trim()) === true && values.isNew(key.trim());
  }

  #findLastFence(from: number): number {
    if (!this.#fence) return -1;
    const trimmed = this.#text.trimEnd();
    const at = trimmed.length - this.#fence.marker.length;
    const isLast = at > from && trimmed.endsWith(`\n${this.#fence.marker}`);
    // In a value of several lines, the last one may also be a fence that the value itself opens.
    if (!isLast || this.#text.slice(from + 1, at - 1).includes('\n')) return -1;
    this.#isGuessed = true;
    return at;
  }

  /** The rest of the line, trimmed; undefined when the text ends in it or the line is too long. */
  #readLine(from: number): string | undefined {
    const end = this.#text.slice(from, from + LONGEST_LINE).indexOf('\n');
    if (end === -1) return undefined;
    this.#at = from + end;
    return this.#text.slice(from, from + end).trim();
  }

  #cut(name: string, start: number, where: string): RejectionReading {
    return rejectCut(this.#context, start, name, `inside ${where}`);
  }
}

/** The value without a last line in which one character of `END_ARG` is wrong, unless the value itself uses that word. */
function cutGarbledEnd(written: string): string {
  const line = written.lastIndexOf('\n', written.length - 2) + 1;
  const last = written.slice(line).trim().slice(0, LONGEST_END);
  const isEnd = countEdits(last, END) <= 1 && !written.slice(0, line).includes(last);
  return isEnd ? written.slice(0, line) : written;
}

const LONGEST_END = 16;

const writeCall = (call: WrittenCall): string =>
  `\`\`\`${INFO_STRING}\n${NAME}: ${call.name}\n${writePairs(call, writeArgument)}\`\`\``;

const writeArgument = (key: string, value: unknown): string =>
  `${BEGIN} ${key}\n${writeText(value)}\n${END}\n`;
