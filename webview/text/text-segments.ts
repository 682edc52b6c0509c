// Cuts a text into segments with equal marks. Pure; independent of what the marks mean.

export interface SegmentMark {
  start: number;
  end: number;
  kind: 'taken' | 'left' | 'aside';
  /** Drawn where the mark begins. */
  number?: number | undefined;
}

/** One damaged character, or a position between two where one is missing. */
export interface TextPoint {
  at: number;
  shape: 'changed' | 'removed' | 'inserted';
}

export interface TextSegment {
  start: number;
  /** Empty where a character is missing, and for an empty mark. */
  text: string;
  /** The marks that cover the segment, innermost last. */
  marks: readonly SegmentMark[];
  /** The numbered marks that begin here. */
  opens: readonly SegmentMark[];
  point?: TextPoint | undefined;
}

/** Marks may overlap and extend beyond the text. The segments in order make up the text. */
export function segmentText(
  text: string,
  marks: readonly SegmentMark[],
  points: readonly TextPoint[] = [],
): TextSegment[] {
  const sorted = marks
    .filter(({ start }) => start <= text.length)
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  const pointAt = new Map(points.map((point) => [point.at, point]));
  const bounds = boundsOf(text, sorted, points);
  return bounds.flatMap((start, index) => {
    const end = bounds[index + 1] ?? start;
    return segmentsAt({ start, text: text.slice(start, end) }, sorted, pointAt.get(start));
  });
}

/** The segments between two bounds: the place of a missing character, then the text. */
function segmentsAt(
  piece: { start: number; text: string },
  marks: readonly SegmentMark[],
  point: TextPoint | undefined,
): TextSegment[] {
  const { start, text } = piece;
  const opens = marks.filter((mark) => mark.start === start && mark.number !== undefined);
  const around = marks.filter((mark) => mark.start <= start && start < mark.end);
  if (point?.shape !== 'inserted') {
    return text === '' && opens.length === 0 ? [] : [{ ...piece, marks: around, opens, point }];
  }
  const ending = marks.filter((mark) => mark.start < start && start === mark.end);
  const gap = { start, text: '', point };
  const rest: TextSegment[] = text === '' ? [] : [{ ...piece, marks: around, opens: [] }];
  // A character missing at the end of a mark is drawn before the number of the next mark.
  if (ending.length > 0) {
    const opened = text === '' && opens.length === 0 ? [] : [{ ...piece, marks: around, opens }];
    return [{ ...gap, marks: ending, opens: [] }, ...opened];
  }
  return [{ ...gap, marks: around, opens }, ...rest];
}

function boundsOf(text: string, marks: readonly SegmentMark[], points: readonly TextPoint[]): number[] {
  const bounds = new Set([0, text.length]);
  for (const { start, end } of marks) bounds.add(start).add(end);
  for (const { at, shape } of points) {
    bounds.add(at);
    if (shape !== 'inserted') bounds.add(at + characterAt(text, at).length);
  }
  return [...bounds].filter((bound) => bound >= 0 && bound <= text.length).toSorted((a, b) => a - b);
}

/** The whole character, which may be a surrogate pair. */
export function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}
