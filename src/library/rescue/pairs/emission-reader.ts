// Reads calls written as pairs with what surrounds them: wrappers, several calls in one wrapper, missing or wrong closing
// tags. Gets the spelling passed in; independent of dialects.
import { isBlank, skipWhite } from '../text/white-space';
import { readCallCloser } from '../core/call-closer';
import { rejectCut } from '../core/refusals';
import { RepairLog } from '../core/repair-log';
import type { RescueContext } from '../core/rescue-context';
import { MOST_CALLS } from '../core/rescue-format';
import type { ReadCall, RejectionReading } from '../core/rescue-format';
import { readBlocks } from '../json/call-block';
import { readBlockCalls, toRejection } from '../json-calls/read-calls';
import { CallReader } from './read-call';
import { endsReply } from './call/call-scope';
import type { EmissionHead, Emission, Traits } from './emission';
import { readHead } from './read-head';
import type { PairSpelling } from './tags/spelling';
import type { Tag } from './tags/tag';
import { TagSource } from './tags/tag-source';

/** No dialect has more wrappers; a model in a loop may open thousands. */
const MAX_WRAPPERS = 4;
const MAX_BARE_CALLS = 8;
const LONGEST_GAP = 64;

export class EmissionReader {
  readonly #context: RescueContext;
  readonly #text: string;
  readonly #tags: TagSource<RescueContext>;
  readonly #start: number;
  readonly #calls: ReadCall[] = [];
  readonly #log = new RepairLog();
  readonly #wrappers: Tag[] = [];
  readonly #traits: Traits = { styles: new Set() };
  #failure: RejectionReading | undefined;
  #isOpen = false;
  #isDone = false;
  #at: number;

  constructor(context: RescueContext, spelling: PairSpelling, at: number) {
    this.#context = context;
    this.#text = context.text;
    this.#tags = new TagSource(context, spelling);
    this.#start = at;
    this.#at = at;
  }

  /** @param given The head of the first call, if no tag opens it. */
  read(given?: EmissionHead): Emission | null {
    if (!given) this.#openWrappers();
    let next = given;
    while (!this.#isDone && !this.#failure && this.#calls.length <= MOST_CALLS) {
      const head = next ?? readHead(this.#tags, this.#at, this.#wrappers.at(-1));
      next = undefined;
      if (head) this.#readCall(head);
      else if (!this.#readJson()) break;
      if (!this.#failure) this.#goBetween();
    }
    return this.#toEmission();
  }

  #readTag(): Tag | null {
    return this.#tags.readNext(this.#at);
  }

  #openWrappers(): void {
    for (let tag = this.#readTag(); tag?.role === 'wrapper' && !tag.isCloser; tag = this.#readTag()) {
      // Adjacent wrappers of the same kind are several emissions, not one.
      if (this.#wrappers.at(-1)?.name === tag.name || this.#wrappers.length >= MAX_WRAPPERS) return;
      this.#open(tag);
    }
  }

  #open(tag: Tag): void {
    if (this.#calls.length === 0) this.#traits.wrapper ??= tag;
    if (tag.damage) this.#log.add(tag.damage, tag.start);
    this.#wrappers.push(tag);
    this.#at = tag.end;
  }

  #readCall(head: EmissionHead): void {
    const read = new CallReader(this.#tags, head, this.#traits).read();
    if ('kind' in read) {
      this.#failure = read;
      return;
    }
    this.#calls.push(read);
    this.#isOpen ||= read.isPartial === true;
    this.#at = read.end;
  }

  /** Reads whole calls in JSON, inside the wrapper or in an element of their own. */
  #readJson(): boolean {
    const { spelling } = this.#tags;
    const { hasJsonBodies } = spelling;
    const { wrapper } = this.#traits;
    if (!hasJsonBodies && !(wrapper && spelling.isOwnWrapper?.(wrapper))) return false;
    const tag = hasJsonBodies ? this.#readTag() : null;
    const opener = tag?.role === 'call' && !tag.isCloser ? tag : undefined;
    if (!opener && this.#wrappers.length === 0) return false;
    const bodyAt = skipWhite(this.#text, opener?.end ?? this.#at);
    const isJson = ['{', '['].includes(this.#text.charAt(bodyAt));
    const block = isJson ? readBlocks(this.#context, bodyAt) : null;
    if (!block) return false;
    this.#traits.hasJson = true;
    if (!hasJsonBodies) this.#log.add('foreign-body', bodyAt);
    this.#traits.call ??= opener;
    for (const call of readBlockCalls(this.#context, block)) this.#calls.push(call);
    this.#log.addAll(block.repairs);
    const start = this.#calls.at(-1)?.end ?? this.#start;
    this.#failure = toRejection(block, start, block.end);
    this.#isOpen ||= block.isOpen;
    this.#at = block.end;
    if (opener && !block.failure) this.#closeElement(opener);
    return true;
  }

  #closeElement(opener: Tag): void {
    const tag = this.#readTag();
    if (tag?.role === 'call' && tag.isCloser) {
      this.#at = tag.end;
      return;
    }
    const { end, repairs, isOpen } = readCallCloser(this.#context, this.#at, this.#tags.toCloser(opener));
    this.#log.addAll(repairs);
    this.#isOpen ||= isOpen;
    this.#at = end;
  }

  /** Moves from the end of one call to the beginning of the next, or to the end of the wrappers. */
  #goBetween(): void {
    while (!this.#isDone) {
      const tag = this.#readTag();
      if (!tag || tag.role === undefined) return this.#endWithoutTag(tag);
      if (tag.isCloser) this.#close(tag);
      else if (tag.role === 'call') {
        // Each call of a row could stand alone, and a model in a loop may write a hundred thousand.
        this.#isDone = this.#wrappers.length === 0 && this.#calls.length >= MAX_BARE_CALLS;
        return;
      } else if (tag.role === 'separator') this.#at = tag.end;
      else if (tag.role === 'wrapper') this.#openBetween(tag);
      else return this.#endWithoutTag(tag);
    }
  }

  #close(tag: Tag): void {
    const opener = this.#wrappers.pop();
    if (tag.damage) this.#log.add(tag.damage, tag.start);
    if (tag.role !== 'wrapper' && !opener) {
      this.#isDone = true;
      return;
    }
    const isOther = opener !== undefined && opener.name.toLowerCase() !== tag.name.toLowerCase();
    if (isOther) this.#log.add('wrong-close-tag', tag.start);
    this.#traits.closer = tag;
    this.#at = tag.end;
    const isLast = this.#wrappers.length === 0;
    if (isLast && this.#readTag()?.isCloser !== true) this.#isDone = true;
  }

  /** Handles an opening tag after a call: another wrapper inside, or the next emission. */
  #openBetween(tag: Tag): void {
    const top = this.#wrappers.at(-1);
    const isNext = top === undefined || top.name === tag.name;
    if (!isNext) return this.#open(tag);
    const isCloser = top !== undefined && skipWhite(this.#text, tag.end) >= this.#text.length;
    if (isCloser) this.#at = tag.end;
    if (top) this.#log.add(isCloser ? 'wrong-close-tag' : 'missing-close-tag', tag.start);
    this.#isDone = true;
  }

  /** Handles the end of the text, or of the markup. */
  #endWithoutTag(tag: Tag | null): void {
    this.#isDone = true;
    const at = skipWhite(this.#text, this.#at);
    const cut = tag ? undefined : this.#tags.findCut(at);
    if (cut === 'closer') this.#at = this.#text.length;
    if (this.#wrappers.length === 0) return;
    const isOther =
      tag?.isCloser === true && this.#context.regions.reasoning.find(this.#text, at) === undefined;
    if (tag && (isOther || endsReply(this.#context, tag))) {
      this.#log.add('wrong-close-tag', at);
      this.#at = tag.end;
      return;
    }
    this.#log.add('missing-close-tag', at);
    if (cut) this.#isOpen = true;
    if (cut === 'opener') this.#failure = this.#readCutHead(at);
  }

  #toEmission(): Emission | null {
    const [calls, repairs, traits] = [this.#calls, this.#log.repairs, this.#traits];
    const failure = this.#failure ?? (calls.length === 0 ? this.#readFirstHead() : undefined);
    if (calls.length === 0) return failure ? this.#toFailed(failure) : null;
    const [start, end, isOpen] = [this.#start, failure?.start ?? this.#at, this.#isOpen];
    return { reading: { kind: 'calls', start, end, calls, repairs, isOpen, failure }, traits };
  }

  /** Reads half a tag directly after a wrapper that opens. */
  #readFirstHead(): RejectionReading | undefined {
    const at = skipWhite(this.#text, this.#at);
    return this.#wrappers.length > 0 && at - this.#at <= LONGEST_GAP ? this.#readCutHead(at) : undefined;
  }

  /** Reads half a tag at the end of the text, where the reply was cut in the head of a call. */
  #readCutHead(at: number): RejectionReading | undefined {
    // a bracket alone, or with a blank behind it, begins no tag
    const inside = at + this.#tags.spelling.lead.length;
    const isTag = inside < this.#text.length && !isBlank(this.#text.charCodeAt(inside));
    if (!isTag || this.#tags.findCut(at) !== 'opener') return undefined;
    return rejectCut(this.#context, at, undefined, 'inside its opening tag');
  }

  /** The beginning of a call to a tool that was not offered is treated as text if it is malformed. */
  #toFailed(failure: RejectionReading): Emission | null {
    const isKnown = failure.name !== undefined && this.#context.tools.resolve(failure.name) !== undefined;
    if (failure.reason === 'malformed' && !isKnown && !this.#traits.hasJson) return null;
    return { reading: { ...failure, start: this.#start }, traits: this.#traits };
  }
}
