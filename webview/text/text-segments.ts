// Cuts a text into pieces that each have the same marks. Pure; knows nothing of what the marks mean.

export interface SegmentMark {
  start: number;
  end: number;
  kind: 'taken' | 'left' | 'aside';
  /** Drawn where it begins. */
  number?: number | undefined;
}

/** One damaged character, or a place between two where something is missing. */
export interface TextPoint {
  at: number;
  shape: 'changed' | 'removed' | 'inserted';
}

export interface TextSegment {
  start: number;
  /** Empty at a place where something is missing, and at a mark without a character. */
  text: string;
  /** The marks around it, the innermost last. */
  marks: readonly SegmentMark[];
  /** The numbered ones that begin here. */
  opens: readonly SegmentMark[];
  point?: TextPoint | undefined;
}

/** Marks may overlap and reach beyond the text. The pieces, one after the other, are the text. */
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

/** What lies between one bound and the next: a missing part, then the text. */
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
  // what is missing at the end of one mark stands before the number of the next
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

/** The whole of it, though it may be two units long. */
export function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}
