// Turns the calls that a model wrote as text into native calls while the reply flows on, and repairs damaged arguments of native
// ones. Whatever is not certain stays as it is, byte for byte. Independent of protocols; does no I/O.
import type { CatalogEntry } from '../../library';
import { isRecord, parseJson, rescueToolCalls, RescueScanner } from '../../library';
import type { RepairedCall, RescuedCall, ToolType } from '../../types';
import type { Frame } from './frames';
import { Frames, writeFrame } from './frames';
import { repairArguments } from './repair-arguments';
import type { JsonDocument, RepairWire, ReturnedCall } from './repair-wire';

export interface RepairOptions {
  tools: readonly ToolType[];
  /** Reads a reply of the protocol. */
  readReply: CatalogEntry['readReply'];
  wire: RepairWire;
  /** `whole`: one document. */
  kind: 'events' | 'lines' | 'whole';
}

/** In bytes. More is not held back: the rest of the reply is then passed on as it is. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;

/**
 * `text`: prose flows on. `ending`: the text is complete, and what follows is held until it is known whether native calls come.
 * `native`: what follows the first native call is held, until its arguments are complete. `passing`: nothing is changed any more.
 */
type Mode = 'text' | 'ending' | 'native' | 'passing';

export class ReplyRepair {
  readonly #options: RepairOptions;
  readonly #frames: Frames;
  readonly #scanner: RescueScanner;
  readonly #changed: RepairedCall[] = [];
  #mode: Mode = 'text';
  /** The text of the reply so far. */
  #received = '';
  /** The part of it that the program has: some may be held back, and calls are left out. */
  #passedOn = '';
  /** The last document with text, as a model for others. */
  #model: JsonDocument = {};
  /** Frames that are held back, and their size in bytes. */
  #queue: Frame[] = [];
  #queued = 0;
  /** Parts of a reply that is one document. */
  #whole: Buffer[] = [];
  /** What the program gets next, each byte as one character. */
  #out = '';

  constructor(options: RepairOptions) {
    this.#options = options;
    this.#frames = new Frames(options.kind === 'events');
    this.#scanner = new RescueScanner(options.tools);
  }

  /** Empty while nothing was changed. */
  get changed(): readonly RepairedCall[] {
    return this.#changed;
  }

  /** Whether something that arrived is held back. */
  get isHolding(): boolean {
    if (this.#mode === 'passing') return false;
    return this.#whole.length > 0 || this.#queue.length > 0 || !this.#isAllPassedOn;
  }

  /** @returns what goes to the program now, perhaps nothing */
  push(chunk: Buffer): Buffer {
    if (this.#options.kind === 'whole') return this.#holdWhole(chunk);
    for (const frame of this.#frames.push(chunk)) this.#take(frame);
    if (this.#heldBytes > MAX_HELD_BYTES) {
      this.#giveUp();
      this.#out += this.#frames.takeRest();
    }
    return this.#flush();
  }

  /** @returns the end of the reply */
  end(): Buffer {
    if (this.#options.kind === 'whole')
      return this.#mode === 'passing' ? Buffer.alloc(0) : this.#rewriteWhole();
    for (const frame of this.#frames.end()) this.#take(frame);
    this.#giveUp();
    return this.#flush();
  }

  get #heldBytes(): number {
    return this.#queued + this.#frames.size + this.#received.length - this.#passedOn.length;
  }

  /** What was passed on is what was received with parts left out, so equal lengths say it without comparing long texts. */
  get #isAllPassedOn(): boolean {
    return this.#received.length === this.#passedOn.length;
  }

  #takeQueue(): Frame[] {
    const queue = this.#queue;
    this.#queue = [];
    this.#queued = 0;
    return queue;
  }

  #flush(): Buffer {
    const out = Buffer.from(this.#out, 'latin1');
    this.#out = '';
    return out;
  }

  #write(document: JsonDocument | undefined): void {
    if (document) this.#out += writeFrame(document, this.#options.kind === 'events');
  }

  /** Passes a frame on byte for byte, unless something was added before it in a stream whose documents are numbered. */
  #pass({ document, raw }: Frame): void {
    const renumbered = document && this.#options.wire.renumber?.(document);
    if (renumbered && renumbered !== document) this.#write(renumbered);
    else this.#out += raw;
  }

  #take(frame: Frame): void {
    const { document, isComment } = frame;
    if (this.#mode === 'passing' || (isComment && document === undefined)) {
      this.#pass(frame);
      return;
    }
    // An end mark before any reason, or an error.
    if (!document) return this.#release(frame);
    const part = this.#options.wire.read(document);
    if (part.isForeign) return this.#release(frame);
    if (part.isNative && this.#mode !== 'native') this.#beginNative();
    if (this.#mode === 'native') {
      this.#hold(frame);
      if (part.isEnd) this.#endNative(part.finishReason);
      return;
    }
    // Text after its end is a second text, which is not repaired together with the first.
    if (part.text && this.#mode === 'ending') return this.#release(frame);
    if (part.isEnd) this.#endText(frame, document, part);
    else if (part.isTextEnd || this.#mode === 'ending') this.#holdEnding(frame);
    else if (part.text) this.#passText(frame, document, part.text);
    else this.#pass(frame);
  }

  #hold(frame: Frame): void {
    this.#queue.push(frame);
    this.#queued += frame.raw.length;
  }

  #holdEnding(frame: Frame): void {
    this.#mode = 'ending';
    this.#hold(frame);
  }

  #passText(frame: Frame, document: JsonDocument, text: string): void {
    const isClean = this.#isAllPassedOn;
    const given = this.#feed(text);
    this.#model = document;
    if (isClean && given === text) this.#pass(frame);
    else this.#write(this.#options.wire.withText(document, given));
  }

  #feed(text: string): string {
    const given = this.#scanner.feed(text);
    this.#received += text;
    this.#passedOn += given;
    return given;
  }

  /** The reply ends without native calls: now it is known which calls its text contains. */
  #endText(
    frame: Frame,
    document: JsonDocument,
    { text = '', finishReason }: { text?: string | undefined; finishReason?: string | undefined },
  ): void {
    const { wire } = this.#options;
    const isClean = this.#isAllPassedOn;
    const given = text === '' ? '' : this.#feed(text);
    const { report, rest } = this.#scanner.finish({ finishReason });
    const { calls } = report;
    if (calls.length === 0 && isClean && given + rest === text) return this.#release(frame);
    const held = given + rest;
    if (held !== '' && (calls.length === 0 || held.trim() !== ''))
      this.#write(wire.toText(held, this.#received === text ? document : this.#model));
    const whole = cutSpans(this.#received, calls);
    const returned = calls.map(toReturned);
    for (const queued of this.#takeQueue())
      if (queued.document && calls.length > 0) this.#write(wire.withEnd(queued.document, whole, returned));
      else this.#pass(queued);
    const ending = text === '' ? document : (wire.withText(document, '') ?? document);
    if (calls.length === 0) {
      if (text === '') this.#pass(frame);
      else this.#write(ending);
    } else {
      for (const called of wire.toCalls(returned, document)) this.#write(called);
      this.#write(wire.withEnd(ending, whole, returned));
      for (const call of calls) this.#changed.push(toChange(call, 'text'));
    }
    this.#mode = 'passing';
  }

  /** A native call has begun: text is text from now on, and the call is held until it is complete. */
  #beginNative(): void {
    this.#giveHeldText();
    for (const queued of this.#takeQueue()) this.#pass(queued);
    this.#mode = 'native';
  }

  #endNative(finishReason: string | undefined): void {
    const { wire, readReply, tools } = this.#options;
    const text = this.#queue.map(({ raw }) => raw).join('');
    const end = this.#queue.at(-1)?.document;
    const reply = readReply(
      Buffer.from(text, 'latin1').toString('utf8'),
      tools.map(({ name }) => name),
    );
    const repaired = finishReason === 'length' ? undefined : repairNative(reply, tools);
    if (!repaired || !end) return this.#giveUp();
    for (const { document, raw } of this.#takeQueue().slice(0, -1))
      if (document) this.#write(wire.withoutCalls(document));
      else this.#out += raw;
    for (const called of wire.toCalls(repaired.calls, end)) this.#write(called);
    this.#write(wire.withEnd(wire.withoutCalls(end) ?? end, this.#received, repaired.calls));
    this.#changed.push(...repaired.changed);
    this.#mode = 'passing';
  }

  /** Gives everything that is held unchanged, then the frame, and changes nothing from here on. */
  #release(frame: Frame): void {
    this.#giveUp();
    this.#pass(frame);
  }

  #giveUp(): void {
    if (this.#mode !== 'passing' && this.#mode !== 'native') this.#giveHeldText();
    for (const queued of this.#takeQueue()) this.#pass(queued);
    this.#mode = 'passing';
  }

  #giveHeldText(): void {
    if (this.#isAllPassedOn) return;
    const held = this.#received.startsWith(this.#passedOn)
      ? this.#received.slice(this.#passedOn.length)
      : this.#findUngiven();
    this.#passedOn = this.#received;
    if (held !== '') this.#write(this.#options.wire.toText(held, this.#model));
  }

  /** Text after a call was given already: the call follows it. */
  #findUngiven(): string {
    const { report, rest } = this.#scanner.finish();
    return report.calls.map(({ start, end }) => this.#received.slice(start, end)).join('') + rest;
  }

  #holdWhole(chunk: Buffer): Buffer {
    if (this.#mode === 'passing') return chunk;
    this.#whole.push(chunk);
    this.#queued += chunk.length;
    if (this.#queued <= MAX_HELD_BYTES) return Buffer.alloc(0);
    this.#mode = 'passing';
    return Buffer.concat(this.#whole.splice(0));
  }

  #rewriteWhole(): Buffer {
    const { tools, readReply, wire } = this.#options;
    const body = Buffer.concat(this.#whole.splice(0));
    const text = body.toString('utf8');
    const document = parseJson(text);
    const reply = readReply(
      text,
      tools.map(({ name }) => name),
    );
    if (!isRecord(document) || reply.problem !== undefined) return body;
    const { content, toolCalls, finishReason } = reply.raw;
    if (toolCalls.length > 0) {
      const repaired = finishReason === 'length' ? undefined : repairNative(reply, tools);
      const rewritten = repaired && wire.rewrite(document, content, repaired.calls);
      if (!rewritten) return body;
      this.#changed.push(...repaired.changed);
      return Buffer.from(JSON.stringify(rewritten));
    }
    const { calls } = rescueToolCalls(content, tools, { finishReason });
    const rewritten =
      calls.length > 0 && wire.rewrite(document, cutSpans(content, calls), calls.map(toReturned));
    if (!rewritten) return body;
    this.#changed.push(...calls.map((call) => toChange(call, 'text')));
    return Buffer.from(JSON.stringify(rewritten));
  }
}

function cutSpans(text: string, spans: readonly { start: number; end: number }[]): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of spans) {
    kept += text.slice(from, start);
    from = Math.max(from, end);
  }
  return (kept + text.slice(from)).trimEnd();
}

const toReturned = ({ id, name, arguments: args }: ReturnedCall): ReturnedCall => ({
  id,
  name,
  arguments: args,
});

const toChange = ({ name, format, repairs }: RescuedCall, from: RepairedCall['from']): RepairedCall => ({
  name,
  from,
  ...(from === 'text' && { format }),
  repairs: [...new Set(repairs.map(({ kind }) => kind))],
});

/** @returns undefined when no arguments are damaged, or some cannot be read exactly */
function repairNative(
  reply: ReturnType<RepairOptions['readReply']>,
  tools: readonly ToolType[],
): { calls: ReturnedCall[]; changed: RepairedCall[] } | undefined {
  if (reply.problem !== undefined) return undefined;
  const changed: RepairedCall[] = [];
  const calls: ReturnedCall[] = [];
  for (const [index, { id, name, arguments: args }] of reply.raw.toolCalls.entries()) {
    const { parseError, rawArguments = '' } = reply.toolCalls[index] ?? {};
    const tool = tools.find((each) => each.name === name);
    const repaired = parseError !== undefined && tool ? repairArguments(rawArguments, tool) : undefined;
    if (parseError !== undefined && !repaired) return undefined;
    calls.push({ id, name, arguments: repaired?.arguments ?? args });
    if (repaired) changed.push(toChange(repaired, 'arguments'));
  }
  return changed.length === 0 ? undefined : { calls, changed };
}
