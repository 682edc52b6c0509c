// Joins what all registered formats declare about their dialects. Parsers need the tokens of other formats too, because a
// model may end a call with any of them. Independent of particular formats.
import { RegionSyntax } from '../regions/region-syntax';
import { skipWhite } from '../text/white-space';
import { findNameEnd } from '../text/names';
import { isToken } from './dialect';
import type { Dialect } from './dialect';
import { TokenList, toTokenPattern } from './token-list';
import { TrailingTokens } from './trailing-tokens';

const LONGEST_OPENER = 64;
const MAX_TOKENS = 4;
/** Characters of names and plain text. Any other character at the edge of a token occurs only in tags. */
const PLAIN = /[\p{ASCII}\p{Po}\s]/u;

export class Dialects {
  readonly regions: RegionSyntax;
  readonly trailing: TrailingTokens;
  /** Literals that close calls. */
  readonly closers: TokenList;
  /** Complete tokens that open calls, without those that end in `=`. */
  readonly openers: TokenList;
  readonly answerTags: readonly { open: string; close: string }[];
  readonly leadLines: readonly { line: string; before: string }[];
  /** Names in lower case that are no tools: `finalAnswers` mark an answer, `noTools` mean that no tool is called. */
  readonly finalAnswers: ReadonlySet<string>;
  readonly noTools: ReadonlySet<string>;
  /** Characters that occur only in tags, so that a name ends before them. */
  readonly tagCharacters: string;
  /** Openers of formats whose calls have no closer. */
  readonly #unclosed: readonly string[];
  readonly #unclosedFirsts: ReadonlySet<number>;
  /** Matches the next token that ends or opens calls. */
  readonly #callTokens: RegExp;
  /** The beginnings of tokens before which a JSON value ends, even if its closing brackets are missing. */
  readonly #stops: readonly string[];

  constructor(dialects: readonly Dialect[]) {
    const gather = <Item>(read: (dialect: Dialect) => readonly Item[] | undefined): Item[] =>
      dialects.flatMap((dialect) => read(dialect) ?? []);
    const closers = gather((dialect) => dialect.closers);
    const endTokens = gather((dialect) => dialect.endTokens);
    const openers = gather((dialect) => dialect.openers).filter((opener) => isToken(opener));
    this.regions = new RegionSyntax({
      reasoningTags: gather((dialect) => dialect.reasoningTags),
      strippedReasoning: gather((dialect) => dialect.strippedReasoning),
      infoStrings: gather((dialect) => dialect.infoStrings),
    });
    this.trailing = new TrailingTokens([
      ...endTokens,
      ...closers.filter((closer) => !openers.includes(closer)),
    ]);
    this.closers = new TokenList(closers);
    this.openers = new TokenList(
      openers.filter((opener) => opener.length <= LONGEST_OPENER && !opener.endsWith('=')),
    );
    this.answerTags = gather((dialect) => dialect.answerTags);
    this.leadLines = gather((dialect) => dialect.leadLines);
    this.finalAnswers = new Set(gather((dialect) => dialect.finalAnswers));
    this.noTools = new Set(gather((dialect) => dialect.noTools));
    const edges = [...closers, ...openers].flatMap((token) => [token.charAt(0), token.slice(-1)]);
    this.tagCharacters = [...new Set(edges.filter((character) => !PLAIN.test(character)))].join('');
    this.#unclosed = dialects
      .filter((dialect) => (dialect.closers ?? []).length === 0)
      .flatMap((dialect) => dialect.openers ?? [])
      .filter((opener) => isToken(opener));
    this.#unclosedFirsts = new Set(this.#unclosed.map((opener) => opener.charCodeAt(0)));
    // Other openers without letters have further uses, except at the start of a line.
    const others = dialects
      .flatMap((dialect) => dialect.openers ?? [])
      .filter((opener) => /^\W{3,}$/.test(opener));
    this.#callTokens = toTokenPattern(
      [...closers, ...endTokens, ...openers, ...others.map((opener) => `\n${opener}`)],
      'g',
    );
    this.#stops = [...new Set([...closers, ...endTokens].map(toStop))];
  }

  /** Whether a call opens at `at` that only the next call ends. Closing tokens or its name may precede its opener. */
  opensCallAt(text: string, at: number): boolean {
    const from = this.#skipTokens(text, at);
    return this.#isUnclosedAt(text, from) || this.#isUnclosedAt(text, findNameEnd(text, from));
  }

  /** Whether tokens at `at` end a call and are directly followed by one that opens another call. */
  separatesCallsAt(text: string, at: number): boolean {
    const end = this.#skipTokens(text, at);
    if (end === at) return false;
    const next = skipWhite(text, end);
    const written = text.slice(next, next + LONGEST_OPENER).toLowerCase();
    return this.openers.findIn(written) !== '' || this.opensCallAt(text, next);
  }

  /** The offset of the first token that ends or opens calls; -1 when there is none. */
  findCallToken(text: string): number {
    return text.search(this.#callTokens);
  }

  #isUnclosedAt(text: string, at: number): boolean {
    return (
      this.#unclosedFirsts.has(text.charCodeAt(at)) &&
      this.#unclosed.some((opener) => text.startsWith(opener, at))
    );
  }

  /**
   * The end of the trailing tokens that stand at `from`, one right behind the other; `from` itself when there is none. At most
   * four are skipped: a real call ends with one or two, and a megabyte of them would be walked through at every place.
   */
  #skipTokens(text: string, from: number): number {
    let end = from;
    for (let count = 0; count < MAX_TOKENS; count += 1) {
      const token = this.trailing.find(text, end);
      if (token === undefined) return end;
      end += token.length;
    }
    return end;
  }

  /** Whether a closing token begins at `at`, so that JSON cannot continue. */
  isStopAt(text: string, at: number): boolean {
    return this.#stops.some((stop) => text.startsWith(stop, at));
  }
}

/**
 * For a token in square brackets the part up to its first word, because a list begins with a bracket too; else one
 * character.
 */
const toStop = (token: string): string =>
  /^\[[^a-z\d]{0,2}[a-z\d]+[^a-z\d\]]?/i.exec(token)?.[0] ?? token.charAt(0);
