// Decides what tags inside a value mean for the call that is being read: whether the value ends there, or the tag is text.
import type { RescueContext } from '../../core/rescue-context';
import { isNearTag } from '../tags/garbled-tag';
import type { CallArguments } from './call-arguments';
import type { Tag } from '../tags/tag';
import type { TagSource } from '../tags/tag-source';

export class CallScope {
  readonly tags: TagSource<RescueContext>;
  /** What the call has so far, and what its tool declares. */
  readonly values: CallArguments;
  readonly #headNames: string[];
  /** The tag that opened the call. */
  readonly head: Tag | undefined;
  /** The element whose value is being read. */
  element: Tag | undefined;
  /** The affix of the tag that opened the call. */
  affix: string | undefined;
  /** Whether parameters may be elements of their own name here. */
  hasGroup = false;

  constructor(tags: TagSource<RescueContext>, values: CallArguments, head: Tag | undefined) {
    const { marks = [], callNames = [] } = tags.spelling;
    this.tags = tags;
    this.#headNames = [...marks, ...(head ? [tags.toName(head)] : callNames)];
    this.head = head;
    this.affix = head?.space;
    this.values = values;
  }

  /** What the tag of a parameter has before its key; '' when the call does not show it. */
  openingBeforeKey(): string {
    const { tags, element } = this;
    const { parameterName } = tags.spelling;
    if (element) return cutKey(tags.toWritten(element), element.label ?? element.name);
    const head = this.head;
    if (!head || head.damage || parameterName === undefined) return '';
    return cutKey(tags.toWritten(head).replace(head.name, parameterName), this.values.name);
  }

  /** Whether the tag opens an element that is named after a parameter. */
  isOwn(tag: Tag): boolean {
    if (tag.role !== undefined || tag.isCloser) return false;
    return this.values.declares(tag.name) ?? (this.tags.spelling.hasOwnNames === true || this.hasGroup);
  }

  /** Whether the tag opens an element that the tool does not declare but that is closed, in a dialect of such elements. */
  isChild(tag: Tag): boolean {
    if (tag.role !== undefined || tag.isCloser || this.tags.spelling.hasOwnNames !== true) return false;
    return this.tags.source.find(this.tags.toCloser(tag), tag.end) !== -1;
  }

  /** Whether the tag closes a call like this one. */
  isEnd(tag: Tag): boolean {
    return tag.isCloser && (tag.role === 'call' || this.#isByTool(tag));
  }

  /** Whether the tag closes the element that was opened for this call. */
  isHeadEnd(tag: Tag): boolean {
    return this.isEnd(tag) && tag.name.toLowerCase() === this.head?.name.toLowerCase();
  }

  /** Whether the tag opens or closes an element like the one whose value is being read. */
  isSame(tag: Tag): boolean {
    const { element } = this;
    if (!element || tag.role !== element.role) return false;
    if (tag.name.toLowerCase() !== element.name.toLowerCase()) return false;
    // Affixes belong to the dialect; namespaces are up to whoever wrote the tag.
    return this.tags.spelling.hasAffixes !== true || tag.space === element.space;
  }

  /** Whether the tag begins a parameter that the call may have and does not have yet. */
  isNextPair(tag: Tag): boolean {
    if (tag.isCloser) return false;
    if (tag.role === 'parameter') return tag.label !== undefined && this.values.isNew(tag.label);
    return tag.role === 'key' ? this.values.isNew(this.#readKey(tag)) : this.#isOwnPair(tag);
  }

  /** A key that the tool has and the call lacks, which ends at `at` without a tag of its own; undefined when there is none. */
  findKeyBefore(at: number): string | undefined {
    const before = this.tags.text.slice(Math.max(0, at - LONGEST_WORD), at).trimEnd();
    const key = this.values.newKeys().find((item) => before.endsWith(item));
    const rest = before.slice(0, -(key?.length ?? 0)).trimEnd();
    const tag = rest.endsWith(this.tags.close) ? rest.slice(rest.lastIndexOf(this.tags.open)) : '';
    return tag.includes(this.tags.spelling.keyName ?? this.tags.close) ? undefined : key;
  }

  /** Whether a call continues with this tag after a closing tag: a parameter, its own end, or another call. */
  goesOn(tag: Tag): boolean {
    if (this.isEnd(tag) || tag.role === 'wrapper' || tag.role === 'group') return true;
    if (tag.isCloser) return endsReply(this.tags.source, tag);
    if (tag.role === 'parameter' || tag.role === 'key' || tag.role === 'call') return true;
    return this.#isOwnPair(tag) || this.isChild(tag);
  }

  /** Whether the element's own closing tag follows later in the call, so that this tag belongs to its value. */
  closesLater(tag: Tag): boolean {
    const { element } = this;
    if (!element || element.role !== undefined) return false;
    const closer = this.tags.source.find(this.tags.toCloser(element), tag.end);
    if (closer === -1) return false;
    const end = this.tags.source.find(`</${this.values.name}>`, tag.end);
    return end === -1 || closer < end;
  }

  /** Whether a damaged tag is at `at`: then the value ends before it, and reading the call fails there. */
  isDamaged(at: number): boolean {
    const { element } = this;
    const own = element ? this.tags.toName(element) : '';
    // The mark that the dialect adds to the name may be missing.
    const names = [...this.#headNames, own, own.replace('value', 'key'), element?.name ?? ''];
    const keys = element?.role === undefined ? this.values.newKeys() : [];
    return isNearTag(this.tags, at, [...names, ...keys]);
  }

  /** Whether the tag ends a call like this one, or what is around it. */
  isCallEnd(tag: Tag): boolean {
    const isOther =
      this.tags.spelling.hasAffixes === true && this.affix !== undefined && tag.space !== this.affix;
    if (isOther) return false;
    return this.isEnd(tag) || (tag.isCloser && tag.role === 'wrapper');
  }

  /** Whether the tag names no tool although the tags of calls do so in this dialect: a text about the tag, or damage. */
  isMention(tag: Tag): boolean {
    const isNamed = tag.label !== undefined || this.tags.spelling.parameterName === undefined;
    return tag.role === 'call' && !tag.isCloser && !isNamed;
  }

  /** Whether the tag opens an element that is named after another tool, in a dialect of such elements. */
  isOtherTool(tag: Tag): boolean {
    const { source, spelling } = this.tags;
    if (tag.role !== undefined || tag.isCloser || spelling.hasOwnNames !== true) return false;
    return this.values.declares(tag.name) === false && source.tools.resolve(tag.name) !== undefined;
  }

  isCallStart(tag: Tag): boolean {
    return !tag.isCloser && (tag.role === 'call' || tag.role === 'wrapper' || this.#isByTool(tag));
  }

  #isOwnPair(tag: Tag): boolean {
    return this.isOwn(tag) && this.values.isNew(tag.name);
  }

  #readKey(tag: Tag): string {
    const rest = this.tags.text.slice(tag.end, tag.end + LONGEST_KEY);
    const end = rest.indexOf(this.tags.open);
    return (end === -1 ? rest : rest.slice(0, end)).trim();
  }

  #isByTool(tag: Tag): boolean {
    return tag.role === undefined && tag.name === this.values.name;
  }
}

/** Whether the tag ends the reply as a closing tag of reasoning, with which some models close their calls. */
export const endsReply = ({ text, dialects }: RescueContext, tag: Tag): boolean =>
  dialects.regions.reasoning.find(text, tag.start)?.isOpen === false &&
  dialects.trailing.isAll(text, tag.end, text.length);

/** The tag up to the key, which may also be a word of the tag itself. */
function cutKey(tag: string, key: string): string {
  let at = tag.indexOf(key);
  while (at > 0 && !`<["'“=`.includes(tag.charAt(at - 1))) at = tag.indexOf(key, at + 1);
  return tag.slice(0, Math.max(0, at));
}

const LONGEST_KEY = 256;
const LONGEST_WORD = 64;
