// Collects openers at which no format could parse anything. If the reply has no call, they are reported to say why. Tells
// an attempted call from a sentence that mentions the opener. Independent of single formats.
import type { RescueRejection } from '../../../types';
import { skipWhite } from '../text/white-space';
import { readPlainName } from '../json-calls/read-named-calls';
import { isToken } from '../core/dialect';
import { CUT_HINT } from '../core/refusals';
import { startsLine } from '../regions/line-position';
import type { OpenerMatch } from '../candidates/opener-index';
import type { RescueContext } from '../core/rescue-context';
import type { RescueFormat } from '../core/rescue-format';

const MAX_FINDINGS = 8;
const MAX_SHOWN = 32;

export class UnreadOpeners {
  readonly #context: RescueContext;
  /** Keyed by opener, because each one is reported once. */
  readonly #found = new Map<string, RescueRejection>();

  constructor(context: RescueContext) {
    this.#context = context;
  }

  get rejections(): RescueRejection[] {
    return [...this.#found.values()];
  }

  /** Adds an opener at `at` where none of the formats could parse anything. */
  add(matches: readonly OpenerMatch[], at: number): void {
    const opener = this.#found.size < MAX_FINDINGS ? matches.find(isMarker)?.opener : undefined;
    if (opener === undefined || this.#found.has(opener) || !this.#isAttempt(opener, at)) return;
    // The format that writes this opener itself, not one that only tolerates it.
    for (const { format } of matches.filter(isMarker)) {
      const expected = findExpected(format, opener);
      if (expected === undefined) continue;
      this.#found.set(opener, this.#describe(format, opener, at, expected));
      return;
    }
  }

  /** Whether the opener begins its line, or is followed by something that does not occur in a sentence. */
  #isAttempt(opener: string, at: number): boolean {
    const { text, tools } = this.#context;
    const after = at + opener.length;
    const next = skipWhite(text, after);
    if (text.charAt(next) === '{' || /^\[\s{0,8}[{"]/.test(text.slice(next, next + 16))) return true;
    const name = readPlainName(this.#context, next)?.name ?? '';
    const isNamed = tools.resolve(name) !== undefined;
    if (next === after && isNamed) return true;
    if (!startsLine(this.#context, at)) return false;
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
    const found = shorten(text.slice(next, next + MAX_SHOWN + 1));
    const detail = `This looks like ${format.title}. It breaks at offset ${next}: expected \`${expected}\`, found \`${found}\`.`;
    return { ...base, reason: 'malformed', detail };
  }
}

/** Whether the opener is a marker. Openers of formats without a marker have other uses too. */
const isMarker = ({ format, opener }: OpenerMatch): boolean =>
  format.evidence === 'marker' && isToken(opener);

/** What the format itself writes after its opener. */
function findExpected(format: RescueFormat, opener: string): string | undefined {
  const written = format.write([{ name: 'NAME', arguments: {} }]);
  const at = written.toLowerCase().indexOf(opener.toLowerCase());
  const rest = at === -1 ? '' : written.slice(at + opener.length).trim();
  return rest === '' ? undefined : shorten(rest);
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s{1,32}/g, ' ').replaceAll('`', '´');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
