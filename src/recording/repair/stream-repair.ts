// Turns the calls that a model wrote as text into native calls while the reply flows on, and repairs damaged arguments of native
// ones. Whatever is not certain stays as it is, byte for byte. Independent of protocols; does no I/O.
import { RescueScanner } from '../../library';
import type { RepairedCall, RescuedCall } from '../../types';
import type { Frame } from './frames';
import { formatFrame, Frames, HeldFrames } from './frames';
import type { NativeOptions } from './native-repair';
import { repairNative } from './native-repair';
import { hasEnded } from './reply-end';
import type { ReplyRepair } from './reply-repair';
import { MAX_HELD_BYTES } from './reply-repair';
import type { JsonDocument, Part } from './repair-wire';
import { findCalls, toChange, toReturned } from './returned-calls';

export interface StreamOptions extends NativeOptions {
  kind: 'events' | 'lines';
}

/** In UTF-16 code units. In a longer text nothing is a call. */
const MAX_TEXT = 8 * 1024 * 1024;

/**
 * `text`: prose flows on. `ending`: the text is complete, and what follows is held until it is known whether native calls come.
 * `native`: what follows the first native call is held, until its arguments are complete. `passing`: nothing is changed any more.
 */
type Mode = 'text' | 'ending' | 'native' | 'passing';

/** A document with a piece of the text, or one between two of these. */
interface TextFrame {
  frame: Frame;
  document: JsonDocument;
  /** Where its piece stands in the text of the reply; the same twice for one without text. */
  start: number;
  end: number;
}

/** What the document has that says why a reply ends. */
interface EndOfText {
  /** Its piece of the text. */
  text: string;
  /** The text that the program does not have yet, this piece included. */
  held: string;
}

export class StreamRepair implements ReplyRepair {
  readonly #options: StreamOptions;
  readonly #frames: Frames;
  readonly #scanner: RescueScanner;
  readonly #changed: RepairedCall[] = [];
  #mode: Mode = 'text';
  /** The text of the reply so far. */
  #received = '';
  /** The part of it that is no call, as far as that is certain. */
  #passedOn = '';
  /** How much of that the program has, in UTF-16 code units. */
  #sent = 0;
  /** The documents with the text that the program does not have. */
  readonly #texts: TextFrame[] = [];
  /** Of these documents. */
  #textBytes = 0;
  /** Whether a call was left out, so that what is passed on is no longer what was received. */
  #isCut = false;
  /** The last document with text, as a model for others. */
  #model: JsonDocument = {};
  /** What opens the text, until the program gets some of it. */
  readonly #opening = new HeldFrames();
  /** What follows the text, or its native calls. */
  readonly #queue = new HeldFrames();
  #isTooLong = false;
  /** What the program gets next, each byte as one character. */
  #out = '';

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#frames = new Frames(options.kind === 'events');
    this.#scanner = new RescueScanner(options.tools);
  }

  get changed(): readonly RepairedCall[] {
    return this.#changed;
  }

  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  get isHolding(): boolean {
    return this.#mode !== 'passing' && (this.#queue.size > 0 || this.#texts.length > 0);
  }

  push(chunk: Buffer): Buffer {
    for (const frame of this.#frames.push(chunk)) this.#take(frame);
    if (this.#heldBytes > MAX_HELD_BYTES) {
      this.#giveUpAtLimit();
      this.#out += this.#frames.takeRest();
    }
    return this.#flush();
  }

  end(): Buffer {
    for (const frame of this.#frames.end()) this.#take(frame, true);
    this.#giveUp();
    return this.#flush();
  }

  get #heldBytes(): number {
    return this.#opening.size + this.#queue.size + this.#frames.size + this.#textBytes;
  }

  #flush(): Buffer {
    const out = Buffer.from(this.#out, 'latin1');
    this.#out = '';
    return out;
  }

  #write(document: JsonDocument | undefined): void {
    if (!document) return;
    const text = formatFrame(document, this.#options.kind === 'events');
    this.#out += Buffer.from(text, 'utf8').toString('latin1');
  }

  /** Passes a frame on byte for byte, unless something was added before it in a stream whose documents are numbered. */
  #pass({ document, raw }: Frame): void {
    const renumbered = document && this.#options.wire.renumber?.(document);
    if (renumbered && renumbered !== document) this.#write(renumbered);
    else this.#out += raw;
  }

  #passAll(frames: HeldFrames): void {
    for (const frame of frames.take()) this.#pass(frame);
  }

  /** @param isLast Whether it has no end, so that nothing can follow it. */
  #take(frame: Frame, isLast = false): void {
    const { document, isComment } = frame;
    if (this.#mode === 'passing') return this.#pass(frame);
    if (isComment && !isLast) return this.#passComment(frame);
    // An end mark before any reason, or something that is not known.
    if (!document) return this.#release(frame);
    const part = this.#options.wire.read(document);
    if (part.isKeepAlive && !isLast) return this.#passComment({ ...frame, isComment: true });
    // Text after its end is a second text, which is not repaired together with the first.
    const isSecond = part.text !== undefined && part.text !== '' && this.#mode === 'ending';
    if (part.isForeign || isSecond || (isLast && !part.isEnd)) return this.#release(frame);
    if (part.isNative && this.#mode !== 'native') this.#beginNative();
    if (this.#mode === 'native') this.#takeNative(frame, part);
    else if (part.isEnd) this.#endText(frame, document, part);
    else if (part.isTextEnd || this.#mode === 'ending') this.#holdEnding(frame);
    else if (part.text) this.#passText(frame, document, part.text);
    else if (part.isTextStart && this.#received === '') this.#opening.hold(frame);
    else this.#passOther(frame, document);
  }

  /** Between the opening of a text and its first piece, a comment keeps its place. */
  #passComment(frame: Frame): void {
    if (this.#opening.size > 0 && this.#received === '') this.#opening.hold(frame);
    else this.#pass(frame);
  }

  /** What is no text keeps its place behind a text that is held back. */
  #passOther(frame: Frame, document: JsonDocument): void {
    const { length } = this.#received;
    if (this.#texts.length > 0) return this.#holdText({ frame, document, start: length, end: length });
    this.#passAll(this.#opening);
    this.#pass(frame);
  }

  #holdEnding(frame: Frame): void {
    this.#mode = 'ending';
    this.#queue.hold(frame);
  }

  #passText(frame: Frame, document: JsonDocument, text: string): void {
    this.#feed(text);
    this.#model = document;
    const end = this.#received.length;
    if (this.#isCut) this.#sendCut(frame, document, text);
    else {
      this.#holdText({ frame, document, start: end - text.length, end });
      this.#sendInOrder();
    }
    if (end > MAX_TEXT) this.#giveUpAtLimit();
  }

  #holdText(text: TextFrame): void {
    this.#texts.push(text);
    this.#textBytes += text.frame.raw.length;
  }

  #feed(text: string): void {
    const given = this.#scanner.feed(text);
    this.#received += text;
    this.#isCut ||= !this.#received.startsWith(given, this.#passedOn.length);
    this.#passedOn += given;
  }

  /** A document waits for the next one before its text is split: mostly its rest is no call either, and it stays as it is. */
  #sendInOrder(): void {
    const certain = this.#passedOn.length;
    const open = this.#texts.findIndex(({ end }) => end > certain);
    this.#sendFirst(open < 0 ? this.#texts.length : open);
    const [first] = this.#texts;
    if (first && this.#texts.length > 1 && certain > this.#sent) this.#sendTo(certain, first);
  }

  #sendFirst(count: number): void {
    for (const text of this.#texts.splice(0, count)) {
      this.#sendTo(text.end, text);
      this.#textBytes -= text.frame.raw.length;
    }
  }

  #sendTo(to: number, { frame, document, start, end }: TextFrame): void {
    const { wire } = this.#options;
    this.#passAll(this.#opening);
    const text = this.#received.slice(this.#sent, to);
    if (this.#sent > start) this.#write(wire.toText(text, document));
    else if (to === end) this.#pass(frame);
    else this.#write(wire.withText(document, text));
    this.#sent = to;
  }

  /** Sends what is certain of the text around calls. */
  #sendCut(frame: Frame, document: JsonDocument, text: string): void {
    const given = this.#passedOn.slice(this.#sent);
    this.#sent = this.#passedOn.length;
    this.#leaveTexts();
    const rewritten = given === text ? undefined : this.#options.wire.withText(document, given);
    if (given === text || rewritten) this.#passAll(this.#opening);
    if (given === text) this.#pass(frame);
    else this.#write(rewritten);
  }

  /** Sends what the documents have beside the text that is not theirs any more. */
  #leaveTexts(): void {
    this.#textBytes = 0;
    for (const { frame, document, start, end } of this.#texts.splice(0)) {
      const rest = start === end ? document : this.#options.wire.withText(document, '');
      if (rest) this.#passAll(this.#opening);
      if (rest === document) this.#pass(frame);
      else this.#write(rest);
    }
  }

  /** The reply ends without native calls: now it is known which calls its text contains. */
  #endText(frame: Frame, document: JsonDocument, { text = '', finishReason }: Part): void {
    if (!hasEnded(finishReason)) return this.#release(frame);
    if (text !== '') this.#feed(text);
    if (this.#received === text) this.#model = document;
    const report = findCalls(this.#received, this.#options.tools, finishReason);
    const held = this.#passedOn.slice(this.#sent) + this.#scanner.finish({ report }).rest;
    if (report.calls.length > 0) this.#endInCalls(document, { text, held }, report.calls);
    else if (this.#isCut) this.#endWithoutCalls(frame, document, { text, held });
    else this.#release(frame);
    this.#mode = 'passing';
  }

  /** What looked like a call is none after all. */
  #endWithoutCalls(frame: Frame, document: JsonDocument, { text, held }: EndOfText): void {
    const { wire } = this.#options;
    this.#passAll(this.#opening);
    this.#leaveTexts();
    if (held !== text && held !== '') this.#write(wire.toText(held, this.#model));
    this.#passAll(this.#queue);
    if (held === text || text === '') this.#pass(frame);
    else this.#write(wire.withText(document, '') ?? document);
  }

  #endInCalls(document: JsonDocument, { text, held }: EndOfText, calls: readonly RescuedCall[]): void {
    const { wire } = this.#options;
    const before = this.#passedOn.slice(0, this.#sent);
    const kept = held.trim() === '' ? '' : held;
    const opening = this.#opening.documents;
    const isLeftOut = before + kept === '' && opening.length > 0 && wire.leaveOut?.(opening) === true;
    for (const opened of this.#opening.take()) if (!isLeftOut || opened.isComment) this.#pass(opened);
    this.#leaveTexts();
    if (kept !== '') this.#write(wire.toText(kept, this.#model));
    const returned = calls.map(toReturned);
    const withEnd = (given: JsonDocument): void => this.#write(wire.withEnd(given, before + kept, returned));
    for (const queued of this.#queue.take()) if (queued.document) withEnd(queued.document);
    for (const called of wire.toCalls(returned, document)) this.#write(called);
    withEnd(text === '' ? document : (wire.withText(document, '') ?? document));
    for (const call of calls) this.#changed.push(toChange(call, 'text'));
  }

  /** A native call has begun: text is text from now on, and the call is held until it is complete. */
  #beginNative(): void {
    this.#giveHeldText();
    this.#passAll(this.#queue);
    this.#mode = 'native';
  }

  #takeNative(frame: Frame, { isEnd = false }: Part): void {
    this.#queue.hold(frame);
    if (!isEnd) return;
    const isEvents = this.#options.kind === 'events';
    const native = repairNative(this.#queue.documents, this.#options, (documents) =>
      documents.map((document) => formatFrame(document, isEvents)).join(''),
    );
    for (const [at, held] of this.#queue.take().entries()) {
      const document = native?.documents[at];
      if (!document || document === held.document) this.#pass(held);
      else this.#write(this.#options.wire.renumber?.(document) ?? document);
    }
    for (const call of native?.repaired ?? []) this.#changed.push(toChange(call, 'arguments'));
    this.#mode = 'passing';
  }

  /** Gives everything that is held unchanged, then the frame, and changes nothing from here on. */
  #release(frame: Frame): void {
    this.#giveUp();
    this.#pass(frame);
  }

  #giveUpAtLimit(): void {
    this.#isTooLong ||= this.#mode !== 'passing';
    this.#giveUp();
  }

  #giveUp(): void {
    if (this.#mode !== 'passing' && this.#mode !== 'native') this.#giveHeldText();
    this.#passAll(this.#queue);
    this.#mode = 'passing';
  }

  #giveHeldText(): void {
    this.#passAll(this.#opening);
    if (this.#isCut) this.#giveCutText();
    else this.#sendFirst(this.#texts.length);
  }

  /** Text after a call was given already: the call follows it. */
  #giveCutText(): void {
    this.#leaveTexts();
    const { report, rest } = this.#scanner.finish();
    const calls = report.calls.map(({ start, end }) => this.#received.slice(start, end));
    const held = this.#passedOn.slice(this.#sent) + calls.join('') + rest;
    this.#sent = this.#passedOn.length;
    if (held !== '') this.#write(this.#options.wire.toText(held, this.#model));
  }
}
