// What all registered formats declare of their dialects, joined for the parsers that have to know the tokens of other
// formats too: a model may end a call with any of them. Names no format.
import { RegionSyntax } from '../regions/region-syntax';
import { skipWhite } from '../text/white-space';
import { findNameEnd } from '../text/names';
import { isToken } from './dialect';
import type { Dialect } from './dialect';
import { TrailingTokens } from './trailing-tokens';

const LONGEST_OPENER = 64;
const MOST_TOKENS = 4;
/** What names and plain text are made of; any other character at the edge of a token belongs to tags. */
const PLAIN = /[\p{ASCII}\p{Po}\s]/u;

export class Dialects {
  readonly regions: RegionSyntax;
  readonly trailing: TrailingTokens;
  /** In lower case, the longest first. */
  readonly closers: readonly string[];
  /** Tokens that open calls and have an end of their own, in lower case, the longest first. */
  readonly openers: readonly string[];
  readonly answerTags: readonly { open: string; close: string }[];
  readonly leadLines: readonly { line: string; before: string }[];
  /** Names in lower case that are no tools: how models mark their answer, and how they say that they call nothing. */
  readonly finalAnswers: ReadonlySet<string>;
  readonly noTools: ReadonlySet<string>;
  /** Characters that only tags have, so that no name goes on at them. */
  readonly tagCharacters: string;
  /** Openers of formats whose calls have no closer. */
  readonly #unclosed: readonly string[];
  readonly #unclosedFirsts: ReadonlySet<number>;
  /** What a JSON value may be followed by when its brackets are missing. */
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
    this.closers = toFolded(closers);
    this.openers = toFolded(
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
    this.#stops = [...new Set([...closers, ...endTokens].map(toStop))];
  }

  /** The opener of a call that only the next one ends, with or without tokens or its name before it. */
  opensCallAt(text: string, at: number): boolean {
    const from = this.#skipTokens(text, at);
    return this.#isUnclosedAt(text, from) || this.#isUnclosedAt(text, findNameEnd(text, from));
  }

  /** Tokens that end a call, and right behind them one that opens another. */
  separatesCallsAt(text: string, at: number): boolean {
    const end = this.#skipTokens(text, at);
    if (end === at) return false;
    const next = skipWhite(text, end);
    const written = text.slice(next, next + LONGEST_OPENER).toLowerCase();
    return this.openers.some((opener) => written.startsWith(opener)) || this.opensCallAt(text, next);
  }

  #isUnclosedAt(text: string, at: number): boolean {
    return (
      this.#unclosedFirsts.has(text.charCodeAt(at)) &&
      this.#unclosed.some((opener) => text.startsWith(opener, at))
    );
  }

  /** A few: a loop of them ends no call. */
  #skipTokens(text: string, from: number): number {
    let end = from;
    for (let count = 0; count < MOST_TOKENS; count += 1) {
      const token = this.trailing.find(text, end);
      if (token === undefined) return end;
      end += token.length;
    }
    return end;
  }

  /** A tag begins here, so that no JSON goes on. */
  isStopAt(text: string, at: number): boolean {
    return this.#stops.some((stop) => text.startsWith(stop, at));
  }
}

/** In square brackets up to its first word, since a list begins with one as well; else its first character. */
const toStop = (token: string): string =>
  /^\[[^a-z\d]{0,2}[a-z\d]+[^a-z\d\]]?/i.exec(token)?.[0] ?? token.charAt(0);

const toFolded = (tokens: readonly string[]): string[] =>
  [...new Set(tokens.map((token) => token.toLowerCase()))].toSorted(
    (one, other) => other.length - one.length,
  );
