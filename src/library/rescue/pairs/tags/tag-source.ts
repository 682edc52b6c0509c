// Finds tags in a text: the next one, one that the end of the text cuts, and one without its bracket. Independent of what
// they mean for a call.
import { TextSource } from '../../core/rescue-context';
import { skipWhite } from '../../text/white-space';
import { countEdits } from '../../text/edit-distance';
import type { Span } from '../../text/cut-text';
import type { PairSpelling } from './spelling';
import type { Tag } from './tag';

const LONGEST_CUT = 200;
const LONGEST_TAG = 256;
const MAX_EDITS = 2;
/** The name in a tag that has a label, or in a closing one. */
const MISSPELT = /^<(\/?)([a-z]{6,12})(?==| name=|>)/;

/** A text with tags in one spelling. */
export class TagSource<Source extends TextSource = TextSource> {
  readonly source: Source;
  readonly text: string;
  readonly spelling: PairSpelling;
  /** The first and the last character of a tag. */
  readonly open: string;
  readonly close: string;
  /** The tag that was read last, and where: several steps look at the same one. */
  #tag: Tag | null = null;
  #at = -1;
  /** Whether a parameter's tag was misspelt. */
  #hasTypos = false;

  constructor(source: Source, spelling: PairSpelling) {
    this.source = source;
    this.text = source.text;
    this.spelling = spelling;
    const { brackets = '<>' } = spelling;
    this.open = brackets.charAt(0);
    this.close = brackets.charAt(1);
  }

  /** The tag that begins at `at`; null when there is none. */
  read(at: number): Tag | null {
    if (at === this.#at) return this.#tag;
    const tag = this.spelling.readTag(this.source, at);
    this.#tag = this.#hasTypos && !tag?.role ? (this.#readMisspelt(at) ?? tag) : tag;
    this.#at = at;
    return this.#tag;
  }

  /** The tag that begins after white space. */
  readNext(from: number): Tag | null {
    return this.read(skipWhite(this.text, from));
  }

  /** The tag at `at`, even if its opening bracket is missing or doubled. */
  readDamaged(at: number): Tag | null {
    const tag = this.read(at);
    if (tag || this.spelling.lead !== this.open) return tag;
    if (this.text.startsWith(this.open + this.open, at)) {
      const doubled = this.read(at + 1);
      return markBroken(
        doubled,
        { start: at, end: doubled?.end ?? at },
        this.text.slice(at + 1, doubled?.end),
      );
    }
    const code = this.text.charCodeAt(at);
    if (code === 60) return this.#readMisspelt(at);
    const mayBegin = code === 47 || code === 0xff5c || (code >= 97 && code <= 122);
    if (!mayBegin) return null;
    const piece = new TextSource(`${this.open}${this.text.slice(at, at + LONGEST_TAG)}`);
    const whole = this.spelling.readTag(piece, 0);
    return markBroken(whole, { start: at, end: at - 1 + (whole?.end ?? 1) }, piece.text.slice(0, whole?.end));
  }

  /** The tag of a parameter, of whose name one or two letters are wrong. Who misspells one may do so with all of them. */
  #readMisspelt(at: number): Tag | null {
    const { parameterName } = this.spelling;
    const written = this.text.slice(at, at + LONGEST_TAG);
    const [head = '', slash = '', name = ''] = MISSPELT.exec(written) ?? [];
    if (!parameterName || name === '' || countEdits(name, parameterName) > MAX_EDITS) return null;
    const piece = new TextSource(`<${slash}${parameterName}${written.slice(head.length)}`);
    const tag = this.spelling.readTag(piece, 0);
    if (!tag || tag.damage || (tag.label === undefined && !tag.isCloser)) return null;
    this.#hasTypos = true;
    this.#at = -1;
    return {
      ...tag,
      start: at,
      end: at + tag.end + name.length - parameterName.length,
      damage: 'broken-tag',
    };
  }

  /** The first tag at or after `from`; null when there is none. */
  find(from: number): Tag | null {
    const { lead } = this.spelling;
    for (let at = this.source.find(lead, from); at !== -1; at = this.source.find(lead, at + 1)) {
      const tag = this.read(at);
      if (tag) return tag;
    }
    return null;
  }

  /** What the text ends in at `at`: before a tag, or inside one that begins there. Undefined when it goes on. */
  findCut(at: number): 'text' | 'opener' | 'closer' | undefined {
    const { lead } = this.spelling;
    if (at >= this.text.length) return 'text';
    const rest = this.text.slice(at, at + LONGEST_CUT);
    if (at + rest.length < this.text.length || rest.includes('\n')) return undefined;
    const isCut =
      this.spelling.isOpenerCut?.(rest) === true ||
      lead.startsWith(rest) ||
      (rest.startsWith(lead) && !rest.slice(lead.length).includes(this.close));
    if (!isCut) return undefined;
    return this.spelling.isCloserCut(rest) ? 'closer' : 'opener';
  }

  /** Whether a closing tag may follow. Saves reading the tags of a loop, which opens thousands and closes none. */
  mayCloseAfter(from: number): boolean {
    const { slash } = this.spelling;
    return slash === undefined || this.source.find(slash, from) !== -1;
  }

  /** Where the next parameter opens or the call closes, for a value without tags of its own. */
  findNamelessEnd(from: number): number | undefined {
    let depth = 0;
    let tag = this.find(from);
    for (; tag; tag = this.find(tag.end)) {
      const isOfCall = tag.role === 'call' || tag.role === 'wrapper';
      // Skips a call that is quoted in the value, up to its end.
      if (isOfCall && (depth > 0 || !tag.isCloser)) depth += tag.isCloser ? -1 : 1;
      else if (depth === 0 && (isOfCall || (tag.role === 'parameter' && !tag.isCloser))) break;
    }
    this.source.meter.spend(from, tag?.start ?? this.text.length);
    return tag?.start;
  }

  /** The closing tag of an opening one, as it would be written. */
  toCloser(tag: Tag): string {
    if (this.spelling.toCloser) return this.spelling.toCloser(tag);
    const written = this.toWritten(tag);
    return `${written.slice(0, this.#findBracket(written) + 1)}/${this.toName(tag)}${this.close}`;
  }

  /** The name with everything that is added to it, such as a namespace or bars. */
  toName(tag: Tag): string {
    const written = this.toWritten(tag);
    const inside = written.slice(this.#findBracket(written) + 1);
    const end = inside.search(/[\s=>]/);
    const name = end === -1 ? inside : inside.slice(0, end);
    return name.endsWith(this.close) ? name.slice(0, -this.close.length) : name;
  }

  /** The opening bracket of the tag itself; the lead of all tags may have one too. */
  #findBracket(written: string): number {
    const { lead } = this.spelling;
    return written.indexOf(this.open, lead.startsWith(this.open) ? 0 : lead.length);
  }

  /** The tag as it is in the text, or as it would be without its damage. */
  toWritten({ start, end, written }: Tag): string {
    return written ?? this.text.slice(start, end);
  }
}

/**
 * Accepts only tags that name something or close a call; others without their bracket may be words of the text.
 * @param written the tag without its damage
 */
function markBroken(tag: Tag | null, place: Span, written: string): Tag | null {
  if (!tag || tag.damage === 'broken-tag') return null;
  const isNamed = tag.label !== undefined && (tag.role === 'parameter' || tag.role === 'call');
  const isKey = tag.role === 'key' && !tag.isCloser;
  const isEnd = tag.isCloser && (tag.role === 'call' || tag.role === 'wrapper');
  return isNamed || isKey || isEnd ? { ...tag, ...place, damage: 'broken-tag', written } : null;
}
