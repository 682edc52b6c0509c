// The problems of data rows, as a person reads them: the first ones, and how many there are more.

/** What is wrong in one line. */
export interface LineProblem {
  /** Starts at 1. */
  line: number;
  /** A whole sentence. It repeats no value of a variable, which may be a secret. */
  message: string;
}

/** Number of problems that are listed. */
const MAX_LISTED = 10;

export class ProblemList<Problem extends LineProblem = LineProblem> {
  /** The first ten, in the order in which they were found. */
  readonly listed: Problem[] = [];
  /** Number of those that are not listed. */
  more = 0;

  add(problem: Problem): void {
    if (this.listed.length < MAX_LISTED) this.listed.push(problem);
    else this.more += 1;
  }

  /** Number of all of them. */
  get size(): number {
    return this.listed.length + this.more;
  }
}
