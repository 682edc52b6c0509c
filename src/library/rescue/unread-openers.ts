// Openers of calls after which no format could read anything: what the text speaks when nothing in it is a call. It
// tells an attempt from a sentence that mentions the opener; it knows no format by name.
import type { RescueRejection } from '../../types';
import { skipWhite } from './json/blank';
import { readPlainName } from './json-calls/read-named-calls';
import { CUT_HINT } from './judge-call';
import { startsLine } from './line-place';
import type { OpenerMatch } from './opener-index';
import type { RescueContext } from './rescue-context';
import type { RescueFormat } from './rescue-format';

const MOST_FINDINGS = 8;
const MOST_SHOWN = 32;
const SHORTEST_OPENER = 5;

export class UnreadOpeners {
  readonly #context: RescueContext;
  /** By opener: the same over and over is one finding. */
  readonly #found = new Map<string, RescueRejection>();

  constructor(context: RescueContext) {
    this.#context = context;
  }

  get rejections(): RescueRejection[] {
    return [...this.#found.values()];
  }

  /** None of the formats read anything at `at`. */
  add(matches: readonly OpenerMatch[], at: number): void {
    const opener = this.#found.size < MOST_FINDINGS ? matches.find(isToken)?.opener : undefined;
    if (opener === undefined || this.#found.has(opener) || !this.#isAttempt(opener, at)) return;
    // the format whose own opener it is, not one that puts up with it
    for (const { format } of matches.filter(isToken)) {
      const expected = findExpected(format, opener);
      if (expected === undefined) continue;
      this.#found.set(opener, this.#describe(format, opener, at, expected));
      return;
    }
  }

  /** A call begins on a line of its own, or with something directly after its opener that no sentence has there. */
  #isAttempt(opener: string, at: number): boolean {
    const { text, tools } = this.#context;
    const after = at + opener.length;
    const next = skipWhite(text, after);
    if (text.charAt(next) === '{' || /^\[\s{0,8}[{"]/.test(text.slice(next, next + 16))) return true;
    const name = readPlainName(text, next)?.name ?? '';
    const isNamed = tools.resolve(name) !== undefined;
    if (next === after && isNamed) return true;
    if (!startsLine(text, at)) return false;
    return (
      isNamed ||
      next >= text.length ||
      '<"'.includes(text.charAt(next)) ||
      text.slice(after, next).includes('\n')
    );
  }

  #describe(format: RescueFormat, opener: string, at: number, expected: string): RescueRejection {
    const { text } = this.#context;
    const written = text.slice(at, at + opener.length);
    const next = skipWhite(text, at + opener.length);
    const base = { format: format.id, start: at, end: at + opener.length };
    if (next >= text.length) {
      const detail = `A call opens with \`${written}\`, and there the reply was cut. Nothing was run.`;
      return { ...base, reason: 'truncated', detail, hint: CUT_HINT };
    }
    const found = shorten(text.slice(next, next + MOST_SHOWN + 1));
    const detail = `This looks like ${format.title}. It breaks at offset ${next}: expected \`${expected}\`, found \`${found}\`.`;
    return { ...base, reason: 'malformed', detail };
  }
}

/** Whole tokens only: a word, a fence, and the beginning of a tag have other uses. */
const isToken = ({ format, opener }: OpenerMatch): boolean =>
  format.evidence === 'marker' && opener.length >= SHORTEST_OPENER && /^[^\w\s`~].*[>\]=✿]$/.test(opener);

/** What the format itself writes after its opener. */
function findExpected(format: RescueFormat, opener: string): string | undefined {
  const written = format.write([{ name: 'NAME', arguments: {} }]) ?? '';
  const at = written.toLowerCase().indexOf(opener.toLowerCase());
  const rest = at === -1 ? '' : written.slice(at + opener.length).trim();
  return rest === '' ? undefined : shorten(rest);
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s{1,32}/g, ' ').replaceAll('`', '´');
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
}
