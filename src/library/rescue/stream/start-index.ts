// Index of what a call may begin with, for all formats and all offered tools, so that a stream knows where to stop. Parses
// no calls; independent of single formats.
import { DIALECTS } from '../formats/dialects';
import { RESCUE_FORMATS } from '../formats/index';
import { LiteralTrie } from '../text/literal-trie';
import { NAME_PREFIXES } from '../core/tool-index';

/**
 * `lead`: a word at the start of a line, before an opener, that belongs to the call. `prefix`: comes before a tool's name.
 * `tag-prefix`: the same after the `<` of an element that is named after the tool.
 */
export type StartKind = 'opener' | 'lead' | 'prefix' | 'tag-prefix' | 'name' | 'reasoning';

export interface Start {
  kind: StartKind;
  length: number;
}

const CODES = 65_536;
/** First characters of formats without a marker, code, quotes and tags. */
const MARKS = '{[`~><';

/** The part of the index that is the same for all replies. */
interface Spellings {
  /** Literals that count anywhere. */
  literals: LiteralTrie<Start>;
  /** Literals that count only at the start of a line. */
  leads: LiteralTrie<Start>;
}

let ofAllFormats: Spellings | undefined;

function readFormats(ids: readonly string[] | undefined): Spellings {
  if (!ids && ofAllFormats) return ofAllFormats;
  const spellings = { literals: new LiteralTrie<Start>(), leads: new LiteralTrie<Start>() };
  for (const { id, openers, leads = [] } of RESCUE_FORMATS) {
    if (ids && !ids.includes(id)) continue;
    for (const opener of openers) add(spellings.literals, opener, 'opener');
    for (const lead of leads) {
      if (lead.startsWith('^')) add(spellings.leads, lead.slice(1), 'lead');
      else add(spellings.literals, lead, 'opener');
    }
  }
  for (const tag of DIALECTS.regions.reasoning.literals) add(spellings.literals, tag, 'reasoning');
  for (const prefix of NAME_PREFIXES) {
    add(spellings.literals, prefix, 'prefix');
    add(spellings.literals, `<${prefix}`, 'tag-prefix');
  }
  if (!ids) ofAllFormats = spellings;
  return spellings;
}

const add = (trie: LiteralTrie<Start>, literal: string, kind: StartKind): void =>
  trie.add(literal, { kind, length: literal.length });

export class StartIndex {
  readonly #literals: LiteralTrie<Start>;
  readonly #leads: LiteralTrie<Start>;
  readonly #names = new LiteralTrie<Start>();
  /** By character code: 1 if anything begins with the character. */
  readonly #flags = new Uint8Array(CODES);

  constructor(names: readonly string[], ids: readonly string[] | undefined) {
    const { literals, leads } = readFormats(ids);
    this.#literals = literals;
    this.#leads = leads;
    for (const name of names) {
      if (name === '') continue;
      add(this.#names, name, 'name');
      // an element may be named after the tool
      add(this.#names, `<${name}`, 'opener');
    }
    for (const mark of MARKS) this.#flags[mark.charCodeAt(0)] = 1;
    for (const trie of [literals, leads, this.#names]) for (const code of trie.firsts) this.#flags[code] = 1;
  }

  /** Whether a lead stands at `at`, or the text ends in the middle of one. */
  findLead(text: string, at: number): 'whole' | 'cut' | undefined {
    if (this.#leads.matches(text, at).length > 0) return 'whole';
    return this.#leads.isCut(text, at) ? 'cut' : undefined;
  }

  /** The next offset from `at`, before `to`, at which something may begin; `to` when there is none. */
  nextPlace(text: string, at: number, to: number): number {
    let next = at;
    while (next < to && this.#flags[text.charCodeAt(next)] === 0) next += 1;
    return next;
  }

  matches(text: string, at: number): readonly Start[] {
    const found = this.#literals.matches(text, at);
    const names = this.#findNames(text, at, found);
    return names.length === 0 ? found : [...found, ...names];
  }

  /** Whether the text ends in the middle of a literal or a name. With `isInWord` it is not a name, which begins its word. */
  isCut(text: string, at: number, isInWord: boolean): boolean {
    if (this.#literals.isCut(text, at)) return true;
    if (isInWord) return false;
    if (this.#names.isCut(text, at)) return true;
    const prefix = this.#literals.matches(text, at).find(isPrefix);
    return prefix !== undefined && this.#names.isCut(text, at + prefix.length);
  }

  /** Names at `at`, and names after a prefix at `at`. */
  #findNames(text: string, at: number, found: readonly Start[]): readonly Start[] {
    const names = this.#names.matches(text, at);
    const prefix = found.find(isPrefix);
    if (!prefix) return names;
    const kind = prefix.kind === 'tag-prefix' ? 'opener' : 'name';
    const after = this.#names.matches(text, at + prefix.length);
    return [...after.map(({ length }) => ({ kind, length: prefix.length + length }) as const), ...names];
  }
}

const isPrefix = ({ kind }: Start): boolean => kind === 'prefix' || kind === 'tag-prefix';
