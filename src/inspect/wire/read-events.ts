// Splits a streamed body into its events, each with the time at which its last byte arrived. Pure.

export interface WireEvent {
  /** The text of the event as received, without the line ends around it. */
  text: string;
  /** Milliseconds since the start of the attempt; absent when unknown. */
  afterMs?: number | undefined;
}

/**
 * @param arrivals Pairs: number of bytes received so far, and milliseconds since the start of the attempt.
 * @param most Number of events after which reading stops.
 * @param kind `events` end with an empty line, `lines` with a line feed.
 */
export function readEvents(
  text: string,
  kind: 'events' | 'lines',
  arrivals: readonly number[] | undefined,
  most = Infinity,
): WireEvent[] {
  const clock = new ArrivalClock(arrivals ?? []);
  const end = kind === 'events' ? /\r\n\r\n|\n\n|\r\r/g : /\r?\n/g;
  const events: WireEvent[] = [];
  let start = 0;
  const take = (until: number, next: number): void => {
    const piece = text.slice(start, until);
    clock.pass(text.slice(start, next));
    start = next;
    const shown = withoutLineEnds(piece);
    if (shown.trim() === '') return;
    const { afterMs } = clock;
    events.push({ text: shown, ...(afterMs !== undefined && { afterMs }) });
  };
  for (const { 0: found, index } of text.matchAll(end)) {
    take(index, index + found.length);
    if (events.length >= most) return events;
  }
  if (start < text.length) take(text.length, text.length);
  return events;
}

/** Without the line ends around it. Not by a regular expression, which takes quadratic time on a long run of them. */
function withoutLineEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isLineEnd(text[start])) start++;
  while (end > start && isLineEnd(text[end - 1])) end--;
  return text.slice(start, end);
}

const isLineEnd = (unit: string | undefined): boolean => unit === '\r' || unit === '\n';

/** Advances through the bytes of a body and gives the time at which the last byte passed had arrived. */
class ArrivalClock {
  readonly #arrivals: readonly number[];
  #bytes = 0;
  #at = 0;

  constructor(arrivals: readonly number[]) {
    this.#arrivals = arrivals;
  }

  pass(text: string): void {
    this.#bytes += utf8Length(text);
    while (this.#at + 2 < this.#arrivals.length && (this.#arrivals[this.#at] ?? 0) < this.#bytes)
      this.#at += 2;
  }

  get afterMs(): number | undefined {
    return this.#arrivals[this.#at + 1];
  }
}

/** Number of bytes of the text in UTF-8. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // Each half of a surrogate pair counts two, so that the pair counts four.
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return length;
}
