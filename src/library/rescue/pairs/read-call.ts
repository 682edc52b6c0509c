// Reads one call written as pairs: from the tag that names the tool to the tag that ends it. Independent of wrappers and
// dialects.
import { describeCall, rejectCut } from '../core/refusals';
import { skipWhite } from '../text/white-space';
import { readArgumentsObject } from '../json/arguments-object';
import { RepairLog } from '../core/repair-log';
import type { RescueContext } from '../core/rescue-context';
import { toRejectionReading } from '../core/rescue-format';
import type { ReadCall, RejectionReading } from '../core/rescue-format';
import { CallArguments } from './call/call-arguments';
import { hasUnknownAttribute, readShort, toHint, trimNameless } from './call-parts';
import { CallScope } from './call/call-scope';
import type { EmissionHead, Traits } from './emission';
import { isNearTag, skipGarbled } from './tags/garbled-tag';
import { describeOpening, readOpening, skipStray } from './call/half-opener';
import type { TypeHint, WrittenValue } from './call/pair-value';
import type { Tag } from './tags/tag';
import type { TagSource } from './tags/tag-source';
import { findCallEnd } from './ends/call-end';
import { findValueEnd } from './ends/value-end';
import type { ValueEnd } from './ends/open-value';
import { findBareValue, skipDoubled } from './ends/value-start';

export class CallReader {
  readonly #tags: TagSource<RescueContext>;
  readonly #text: string;
  readonly #head: EmissionHead;
  readonly #log: RepairLog;
  readonly #arguments: CallArguments;
  readonly #scope: CallScope;
  readonly #traits: Traits;
  #failure: RejectionReading | undefined;
  #isOpen = false;
  /** The parameters whose values may contain another parameter. */
  readonly #doubts: (Pick<ValueEnd, 'heldKey' | 'holdsCloser'> & { key: string })[] = [];
  #at: number;
  #isDone = false;

  /** @param traits Receives how the call is written. */
  constructor(tags: TagSource<RescueContext>, head: EmissionHead, traits: Traits) {
    this.#tags = tags;
    this.#text = tags.text;
    this.#head = head;
    this.#at = head.end;
    this.#arguments = new CallArguments(tags.source, tags.spelling, head.name);
    this.#log = this.#arguments.log;
    this.#scope = new CallScope(tags, this.#arguments, head.tag);
    this.#traits = traits;
  }

  /** The call, which is partial when the text ended before it was closed; or why it could not be read to its end. */
  read(): ReadCall | RejectionReading {
    const { tag, isBroken, start } = this.#head;
    if (isBroken) this.#log.add('broken-tag', start);
    if (tag?.damage) this.#log.add(tag.damage, start);
    if (tag?.style) this.#traits.styles.add(tag.style);
    this.#traits.call ??= tag;
    if (tag?.isEmpty) this.#isDone = true;
    while (!this.#isDone && !this.#failure) this.#step();
    if (!this.#failure) this.#checkSwallowed();
    return this.#failure ?? this.#arguments.finish({ start, end: this.#at }, this.#isOpen);
  }

  /** The parameter that is missing may be a part of another one, if its opening tag was lost there. */
  #checkSwallowed(): void {
    for (const { key, heldKey, holdsCloser } of this.#doubts) {
      const isLost = heldKey !== undefined && this.#arguments.isNew(heldKey);
      const lost = isLost ? heldKey : holdsCloser ? this.#arguments.missingKeys()[0] : undefined;
      if (lost === undefined) continue;
      const problem = `cannot be read: the opening tag of ${toParameter(lost)} is missing, which is probably a part of ${toParameter(key)}.`;
      return this.#fail(this.#at, problem);
    }
  }

  #step(): void {
    const at = skipWhite(this.#text, this.#at);
    this.#tags.source.meter.steps += 1;
    if (at >= this.#text.length) return this.#endOpen();
    const tag = readOpening(this.#scope, at);
    if (!tag) return this.#stepWithoutTag(at);
    if (tag.damage) this.#log.add(tag.damage, at);
    if (tag.role === 'group') this.#scope.hasGroup = this.#traits.hasGroup = true;
    if (tag.role === 'separator') this.#traits.hasSeparator = true;
    if (tag.role === 'group' || tag.role === 'separator') this.#at = tag.end;
    else if (tag.isCloser) this.#stepCloser(tag);
    else this.#stepOpener(tag);
  }

  #stepWithoutTag(at: number): void {
    const { isEmpty } = this.#arguments;
    const cut = this.#tags.findCut(at);
    if (cut === 'opener') return this.#truncate('inside a tag');
    if (cut === 'closer') {
      this.#at = this.#text.length;
      return this.#endOpen();
    }
    if (isEmpty && this.#text.charAt(at) === '{') return this.#readBody(at);
    const bare = isEmpty ? findBareValue(this.#scope, this.#at, at) : undefined;
    if (bare?.label !== undefined) {
      this.#log.add('missing-open-tag', at);
      return this.#readElement(bare, bare.label, {});
    }
    const isText = this.#arguments.body !== undefined && this.#text.charAt(at) !== this.#tags.open;
    if (isText || this.#tags.source.dialects.trailing.find(this.#text, at) !== undefined) this.#endMissing();
    else this.#malform(at);
  }

  #stepOpener(tag: Tag): void {
    if (tag.role === 'parameter' && tag.label !== undefined) return this.#readParameter(tag, tag.label);
    if (tag.role === 'parameter') return this.#readNameless(tag);
    if (tag.role === 'key') return this.#readKeyed(tag);
    if (tag.role === 'call-name' && this.#arguments.name === '') return this.#readName(tag);
    if (tag.role === 'wrapper' && this.#endsEarly(tag)) return this.#malform(tag.start);
    if (tag.role === 'call' || tag.role === 'wrapper') return this.#endMissing();
    if (this.#scope.isOtherTool(tag))
      return findCallEnd(this.#scope, tag.end) === undefined ? this.#endMissing() : this.#malform(tag.start);
    if (this.#scope.isOwn(tag) || this.#scope.isChild(tag)) this.#readOwn(tag);
    else this.#malform(tag.start);
  }

  #stepCloser(tag: Tag): void {
    const isEnd = this.#scope.isEnd(tag);
    if ((isEnd || tag.role === 'wrapper') && this.#endsEarly(tag)) return this.#malform(tag.start);
    if (!isEnd && tag.role === 'wrapper') return this.#endMissing();
    const isUnopened = tag.role === undefined && this.#arguments.lacks(tag.name);
    if (isUnopened || (!isEnd && tag.role === undefined && this.#arguments.isEmpty))
      return this.#malform(tag.start);
    this.#at = tag.end;
    if (this.#endsWithout(tag)) {
      // A reply may end in a wrong closing tag, but then it must be clear that nothing is missing before it.
      if (this.#arguments.newKeys().length > 0) return this.#malform(tag.start);
      this.#tags.source.meter.reach(this.#text.length);
      this.#log.add('wrong-close-tag', tag.start);
      this.#isDone = true;
      return;
    }
    // Any other closing tag is superfluous.
    this.#isDone = isEnd || (tag.role === undefined && !this.#isRepeated(tag));
    // It closes another element, or is named after the tool while the opening tag was not.
    const { tag: opener } = this.#head;
    const isOther = opener ? tag.name.toLowerCase() !== opener.name.toLowerCase() : tag.role === undefined;
    if (!this.#isDone) this.#log.add('broken-tag', tag.start);
    else if (!isEnd || isOther) this.#log.add('wrong-close-tag', tag.start);
  }

  /** Whether the tag closes part of a parameter at the end of the reply, and the call has none. */
  #endsWithout({ role, end }: Tag): boolean {
    const isPart = role === 'key' || role === 'value';
    const { isCut } = this.#tags.source;
    return isPart && this.#arguments.isEmpty && !isCut && skipWhite(this.#text, end) >= this.#text.length;
  }

  /** Whether a whole parameter that the call does not have yet follows the tag that ends it; a sentence may name only its tag. */
  #endsEarly(tag: Tag): boolean {
    const next = this.#tags.readNext(tag.end);
    if (next?.role === undefined || !this.#scope.isNextPair(next)) return false;
    const key = next.role === 'key' ? readShort(this.#tags, next, new RepairLog()) : undefined;
    if (this.#arguments.declares(key?.text ?? next.label ?? '') !== true) return false;
    const opener = key ? this.#tags.readNext(key.end) : next;
    if (!opener || opener.isCloser) return false;
    return opener.isEmpty || this.#tags.source.find(this.#tags.toCloser(opener), opener.end) !== -1;
  }

  /** Whether it closes a parameter once more, and the call goes on or ends behind it, as it also may if it is cut there. */
  #isRepeated(tag: Tag): boolean {
    if (this.#arguments.declares(tag.name) !== true) return false;
    const at = skipWhite(this.#text, tag.end);
    const next = this.#tags.read(at);
    if (!next) return this.#tags.source.isCut && this.#tags.findCut(at) !== undefined;
    return this.#scope.isEnd(next) || this.#scope.isNextPair(next);
  }

  #readParameter(tag: Tag, key: string): void {
    if (tag.style) this.#traits.styles.add(tag.style);
    // Its own closing bracket is missing, so that the end of the key is not known.
    const isCutShort = tag.damage === 'broken-tag' && this.#text.charAt(tag.end - 1) !== this.#tags.close;
    const isUnknown =
      this.#text.charAt(tag.end) === this.#tags.open || this.#arguments.declares(key) === false;
    if (isCutShort && isUnknown) return this.#malform(tag.start);
    // The value is in an attribute that cannot be read.
    if (tag.isEmpty && hasUnknownAttribute(tag)) return this.#malform(tag.start);
    this.#readElement(tag, key, toHint(tag, this.#tags.spelling));
  }

  /** Reads `<parameter>city</parameter>` followed by the value, where the name is in place of the value. */
  #readNameless(tag: Tag): void {
    const { lead, callNames } = this.#tags.spelling;
    const key = callNames ? readShort(this.#tags, tag, new RepairLog()) : undefined;
    const closer = key && this.#tags.read(this.#text.lastIndexOf(lead, key.end - 1));
    if (!key || closer?.isCloser !== true || this.#arguments.declares(key.text) !== true)
      return this.#malform(tag.start);
    this.#log.add('broken-tag', tag.start);
    this.#traits.parameter ??= tag;
    const end = this.#tags.findNamelessEnd(key.end);
    if (end === undefined) return this.#truncate(`inside ${toParameter(key.text)}`);
    const ownCloser = this.#tags.toCloser(tag);
    const text = trimNameless(this.#text.slice(key.end, end), ownCloser);
    this.#doubts.push({ key: key.text, holdsCloser: text.includes(ownCloser) });
    this.#add(key.text, { text, at: key.end, hint: {}, isClosed: false }, end);
  }

  #readOwn(tag: Tag): void {
    if (!this.#tags.spelling.hasOwnNames && !this.#scope.hasGroup) this.#log.add('broken-tag', tag.start);
    this.#readElement(tag, tag.name, {});
  }

  /** Reads an element with the key, possibly one with a type, and one with the value. */
  #readKeyed(tag: Tag): void {
    const key = readShort(this.#tags, tag, this.#log);
    if (!key) return this.#truncate('inside a key');
    const name = this.#unquote(key.text, tag.start);
    let at = skipStray(this.#tags, key.end);
    if (at > key.end) this.#log.add('broken-tag', key.end);
    let next = this.#tags.readNext(at);
    let type: string | undefined;
    if (next?.role === 'type' && !next.isCloser) {
      const written = readShort(this.#tags, next, this.#log);
      if (!written) return this.#truncate('inside a type');
      type = written.text;
      at = written.end;
      next = this.#tags.readNext(at);
    }
    if (next?.role === 'value' && !next.isCloser) {
      // With a damaged affix, its closing tag has that of the key.
      const space = next.space === this.#scope.affix ? next.space : tag.space;
      return this.#readElement({ ...next, space }, name, { type });
    }
    at = skipWhite(this.#text, at);
    if (this.#tags.findCut(at)) this.#truncate('after a key');
    else if (next?.role && next.role !== 'key' && next.role !== 'value') this.#malform(at);
    else this.#readUnopened(tag, name, next?.role ? next.end : at, type);
  }

  /** The key without quotes, if the tool declares it like that. */
  #unquote(key: string, at: number): string {
    const inner = QUOTED.exec(key)?.[2];
    if (inner === undefined || this.#arguments.declares(inner) !== true) return key;
    if (this.#arguments.declares(key)) return key;
    this.#log.add('attribute-form', at);
    return inner;
  }

  /** Reads a value whose opening tag is missing or another one, if its closing tag is the next tag. */
  #readUnopened(keyTag: Tag, key: string, from: number, type: string | undefined): void {
    let tag = this.#tags.find(from);
    while (tag && !tag.role) tag = this.#tags.find(tag.end);
    if (!tag) return this.#truncate(`inside ${toParameter(key)}`);
    if (tag.role !== 'value' || !tag.isCloser) return this.#malform(from);
    const written = this.#text.slice(from, tag.start);
    const opener = this.#text.slice(tag.start, tag.end).replace('/', '');
    const garbled = skipGarbled(written, opener);
    // Half of its opening tag would be read as a part of the value.
    const isMarkup = WHOLE_ELEMENT.test(written) && !isNearTag(this.#tags, from, [opener.slice(1, -1)]);
    if (garbled === 0 && written.startsWith(this.#tags.open) && !isMarkup) return this.#malform(from);
    this.#log.add(garbled === 0 ? 'missing-open-tag' : 'broken-tag', from);
    this.#traits.parameter ??= keyTag;
    this.#add(key, { text: written.slice(garbled), at: from + garbled, hint: { type } }, tag.end);
  }

  #readName(tag: Tag): void {
    const written = readShort(this.#tags, tag, this.#log);
    if (!written) return this.#truncate('inside its name');
    this.#arguments.name = written.text;
    this.#at = written.end;
  }

  #readElement(tag: Tag, key: string, hint: TypeHint): void {
    this.#arguments.begin(key);
    this.#traits.parameter ??= tag;
    this.#scope.element = tag;
    const inTag = tag.attributes.get('value');
    if (tag.isEmpty) return this.#add(key, { text: inTag ?? '', at: tag.start, hint }, tag.end);
    const from = skipDoubled(this.#scope, tag);
    if (from > tag.end) this.#log.add('broken-tag', tag.start);
    const value = findValueEnd(this.#scope, from);
    if (!value) return this.#truncate(`inside ${toParameter(key)}`);
    if (value.nextCall !== undefined) {
      const problem = `breaks inside ${toParameter(key)}: the next call begins before it ends.`;
      return this.#fail(value.nextCall, problem);
    }
    if (value.isUnclear) {
      const problem = `cannot be read: there is text after the closing tag of ${toParameter(key)}. A tag is missing or misspelt there.`;
      const end = findCallEnd(this.#scope, value.end) ?? this.#text.length;
      return this.#fail(end, problem);
    }
    if (value.holdsCloser || value.heldKey !== undefined) this.#doubts.push({ ...value, key });
    if (value.isHalfClosed) return this.#malform(value.end);
    const { closer, isClosed } = value;
    if (!isClosed) this.#log.add('missing-close-tag', closer?.end ?? value.end);
    if (closer) this.#log.add(closer.damage, value.end);
    const text = this.#text.slice(from, value.end);
    const isInTag = inTag !== undefined && text.trim() === '';
    this.#add(key, { text: isInTag ? inTag : text, at: from, hint, isClosed }, value.next);
    if (value.endsCall) this.#endMissing();
  }

  #add(key: string, written: WrittenValue, next: number): void {
    this.#arguments.add(key, written);
    this.#at = next;
  }

  /** Reads JSON in place of parameters. */
  #readBody(at: number): void {
    const { value, failure, end, repairs } = readArgumentsObject(this.#tags.source, at);
    if (failure?.reason === 'truncated') return this.#truncate(`inside ${failure.inside}`);
    if (failure) return this.#malform(failure.at);
    this.#log.add('foreign-body', at);
    this.#log.addAll(repairs);
    this.#arguments.body = value;
    this.#at = end;
  }

  #endOpen(): void {
    this.#isOpen = true;
    this.#endMissing();
  }

  #endMissing(): void {
    this.#log.add('missing-close-tag', this.#at);
    this.#isDone = true;
  }

  /** @param at Where a parameter or the end of the call is expected. */
  #malform(at: number): void {
    const due = `expected ${describeOpening(this.#scope)} or the end of the call`;
    const problem = `cannot be read at offset ${at}: ${due}. A tag is missing or misspelt there.`;
    this.#fail(this.#findFailedEnd(at), problem);
  }

  #truncate(where: string): void {
    this.#failure = rejectCut(this.#tags.source, this.#head.start, this.#name, where);
  }

  /** What follows the damage may be meant as a value, so reading continues after the call; but prose is no value. */
  #findFailedEnd(from: number): number {
    const isProse = this.#arguments.isEmpty && this.#text.charAt(from) !== this.#tags.spelling.lead.charAt(0);
    const end = isProse ? undefined : findCallEnd(this.#scope, from);
    return end ?? (this.#arguments.isEmpty ? this.#head.end : this.#text.length);
  }

  #fail(end: number, problem: string): void {
    const refusal = { reason: 'malformed', detail: `${describeCall(this.#name)} ${problem}` };
    this.#failure = toRejectionReading({ start: this.#head.start, end }, this.#name, refusal);
  }

  get #name(): string | undefined {
    return this.#arguments.name === '' ? undefined : this.#arguments.name;
  }
}

/** An element at the start of a value, with its closing tag. */
const WHOLE_ELEMENT = /^<([a-z][\w-]{0,32})(?:\s[^<>]{0,256})?>[^]*<\/\1>/i;
const QUOTED = /^(["'`])(.{1,254})\1$/;

/** Names a parameter as part of a sentence. */
const toParameter = (key: string): string => `the parameter \`${key.slice(0, LONGEST_SHOWN)}\``;

const LONGEST_SHOWN = 64;
