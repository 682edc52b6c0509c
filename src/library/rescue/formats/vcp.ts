// Calls of VCP: `key:「始」value「末」` between its own tokens. Keys have no quotes; values are text, which is converted to the
// types in the tool's schema.
import { describeCall, rejectCut } from '../core/refusals';
import { CallArguments } from '../pairs/call/call-arguments';
import { writeBlock } from '../pairs/write-pairs';
import { skipWhite } from '../text/white-space';
import { findWordEnd } from '../text/words';
import { isCutBefore, skipToken } from '../json-calls/token';
import type { RescueContext } from '../core/rescue-context';
import { toRejectionReading, toSingleEmission } from '../core/rescue-format';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { INVOKE_SPELLING } from './element-tags';

const OPEN = '<<<[TOOL_REQUEST]>>>';
const CLOSE = '<<<[END_TOOL_REQUEST]>>>';
const NAME_KEY = 'tool_name';
const LONGEST_KEY = 16;
const KEY_AT_END = /[\w.-]\s{0,4}[:：]\s{0,4}$/;
/** Keys that are meant for the front end and not for the tool. */
const ENVELOPE_KEYS: ReadonlySet<string> = new Set(['maid', 'valet', 'archery', 'ink', 'river', 'vref']);
/** The quotes of a value. The first pair is for values that contain the second. */
const QUOTES = [
  { open: '「始ESCAPE」', close: '「末ESCAPE」' },
  { open: '「始」', close: '「末」' },
] as const;

export const vcp: RescueFormat = {
  id: 'vcp',
  title: 'VCP: keys and values in 「始」 and 「末」',
  openers: [OPEN],
  evidence: 'marker',
  parse: (context, at) => new VcpReader(context, at).read(),
  write: (calls) => calls.map(writeCall).join('\n'),
};

function writeCall({ name, arguments: value }: WrittenCall): string {
  const fields = Object.entries({ [NAME_KEY]: name, ...value }).filter(([, item]) => item !== undefined);
  return `${OPEN}\n${fields.map(([key, item]) => writeField(key, item)).join(',\n')}\n${CLOSE}`;
}

function writeField(key: string, value: unknown): string {
  const text = writeBlock(value);
  const { open, close } = [QUOTES[1].open, QUOTES[1].close].some((quote) => text.includes(quote))
    ? QUOTES[0]
    : QUOTES[1];
  return `${key}:${open}${text}${close}`;
}

interface VcpField {
  key: string;
  text: string;
  at: number;
}

class VcpReader {
  readonly #context: RescueContext;
  readonly #text: string;
  readonly #start: number;
  readonly #fields: VcpField[] = [];
  #at: number;

  constructor(context: RescueContext, at: number) {
    this.#context = context;
    this.#text = context.text;
    this.#start = at;
    this.#at = at + OPEN.length;
  }

  /** Reads one request; null when damage comes before the first field. */
  read(): FormatReading | null {
    for (;;) {
      const at = this.#skipSeparators();
      const end = skipToken(this.#text, at, CLOSE);
      if (end !== -1) return this.#end(end);
      if (this.#fields.length > 0 && isCutBefore(this.#text, at, CLOSE)) {
        return this.#end(this.#text.length, at);
      }
      if (at >= this.#text.length) return this.#cut('before its first field');
      const failure = this.#readField(at);
      if (failure !== undefined) return failure;
    }
  }

  #skipSeparators(): number {
    let at = skipWhite(this.#text, this.#at);
    while (',，'.includes(this.#text.charAt(at)) && at < this.#text.length)
      at = skipWhite(this.#text, at + 1);
    return at;
  }

  /** Reads one field. Returns undefined when this worked, otherwise the result of the whole request. */
  #readField(at: number): FormatReading | null | undefined {
    const text = this.#text;
    const keyEnd = findWordEnd(text, at);
    const key = text.slice(at, keyEnd);
    const colon = skipWhite(text, keyEnd);
    if (colon >= text.length) return this.#cut('inside a key');
    const from = skipWhite(text, colon + 1);
    const quotes = QUOTES.find(({ open }) => text.startsWith(open, from));
    if (keyEnd === at || !':：'.includes(text.charAt(colon))) return this.#malform(at, 'a key and a colon');
    if (!quotes && QUOTES.some(({ open }) => isCutBefore(text, from, open)))
      return this.#cut(`before \`${key}\``);
    if (!quotes) return this.#malform(from, '`「始」`');
    const valueAt = from + quotes.open.length;
    const end = this.#context.find(quotes.close, valueAt);
    if (end === -1) return this.#cut(`inside \`${key}\``);
    const pieces = text.slice(valueAt, end).split(quotes.open);
    // Another field begins in it, so that this one was not closed.
    if (pieces.slice(0, -1).some((piece) => KEY_AT_END.test(piece.slice(-LONGEST_KEY))))
      return this.#malform(valueAt, `\`${quotes.close}\` after \`${key}\``);
    this.#fields.push({ key, text: text.slice(valueAt, end), at: valueAt });
    this.#context.meter.spend(at, end);
    this.#at = end + quotes.close.length;
    return undefined;
  }

  get #name(): string | undefined {
    return this.#fields.find(({ key }) => key === NAME_KEY)?.text.trim();
  }

  /** @param openAt Where the closing token is missing because the text ends. */
  #end(end: number, openAt?: number): FormatReading {
    const name = this.#name ?? '';
    const span = { start: this.#start, end };
    if (name === '') {
      const detail = `The tool request at offset ${this.#start} names no tool.`;
      return toRejectionReading(span, undefined, { reason: 'malformed', detail });
    }
    const values = new CallArguments(this.#context, INVOKE_SPELLING, name);
    for (const { key, text, at } of this.#fields) {
      const isEnvelope = key === NAME_KEY || ENVELOPE_KEYS.has(key);
      if (values.declares(key) === true || !isEnvelope) values.add(key, { text, at, hint: {} });
    }
    const isOpen = openAt !== undefined;
    if (isOpen) values.log.add('missing-close-tag', openAt);
    return toSingleEmission(values.finish(span, isOpen), { isOpen });
  }

  #cut(where: string): FormatReading {
    return rejectCut(this.#context, this.#start, this.#name, where);
  }

  /** Rejects a damaged request up to its closer, because text after the damage may have been meant as a value. */
  #malform(at: number, expected: string): FormatReading | null {
    if (this.#fields.length === 0) return null;
    const detail = `${describeCall(this.#name)} breaks at offset ${at}: expected ${expected}.`;
    const span = { start: this.#start, end: this.#context.findAfter(CLOSE, at) ?? at };
    return toRejectionReading(span, this.#name, { reason: 'malformed', detail });
  }
}
