// What a good reply is, as a person writes it in the `expect` of a playground, and what a judge says of one reply.

/** How a reply came out, as the panel's band names it. */
export type OutcomeKind = 'native' | 'rescued' | 'malformed' | 'none' | 'answer';

/** Both ends are included; an absent end has no limit. */
export interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

/** One call that a reply is to have. */
export interface CallPattern {
  /** Exact name. */
  tool: string;
  /** Values or matchers of some arguments, or one matcher of all of them. Absent: any arguments. */
  arguments?: unknown;
  /** Whether arguments that are not named may be there: only with their default. Default: they may, if the tool declares them. */
  exact?: boolean | undefined;
  /** How often. Default: once. */
  times?: number | Range | undefined;
  /** Number of the reply that has the call, from 1. Default: any. */
  step?: number | undefined;
  /** Default: either. */
  source?: 'native' | 'rescued' | undefined;
  /** `false` lets arguments violate the schema of the tool. */
  valid?: boolean | undefined;
}

/** At most these amounts; of an agent run, its sums. */
export interface ReplyLimits {
  promptTokens?: number | undefined;
  completionTokens?: number | undefined;
  totalTokens?: number | undefined;
  costUsd?: number | undefined;
  /** Milliseconds without the delays of mocks. */
  timeMs?: number | undefined;
  firstTokenMs?: number | undefined;
  attempts?: number | undefined;
}

/** Why an agent run ended. */
export type AgentStop = 'answer' | 'max-steps' | 'budget' | 'error';

/** All keys that are present must hold. */
export interface Expectation {
  name?: string | undefined;
  /** Ids of the lanes that it holds for. Default: all. */
  lanes?: readonly string[] | undefined;
  /** Values or matchers of a row's variables: it holds for rows that match. Default: all. */
  when?: Readonly<Record<string, unknown>> | undefined;
  /** `[]`: no call at all. */
  calls?: readonly CallPattern[] | undefined;
  /** Which calls may be made beside those of `calls`. Default: none. */
  extra?: 'none' | 'allowed' | readonly string[] | undefined;
  /** Whether the calls are made in the order of `calls`. Default: any order. */
  order?: 'any' | 'listed' | undefined;
  /** Names of tools that must not be called. */
  never?: readonly string[] | undefined;
  /** A value or matcher of the text of the last reply. */
  text?: unknown;
  /** `stop`, `length`, `tool-calls`, `content-filter`, or a word of the server's own. */
  finish?: string | readonly string[] | undefined;
  verdict?: OutcomeKind | readonly OutcomeKind[] | undefined;
  max?: ReplyLimits | undefined;
  /** Number of chats of an agent run. */
  steps?: Range | undefined;
  stop?: AgentStop | readonly AgentStop[] | undefined;
}

/** A call of a sample. */
export interface SampleCall {
  name: string;
  /** undefined when the text of the arguments is not JSON. */
  arguments: unknown;
  /** Number of the reply that has it, from 1. */
  step: number;
  source: 'native' | 'rescued';
  /** Of a rescued call: the format that it was written in. */
  format?: string | undefined;
  /** Why the arguments are not JSON, in the words of the parser. */
  parseError?: string | undefined;
}

/** What one sample came to, as far as expectations ask: all of it from its stored run. */
export interface SampleFacts {
  /** In the order in which the model made them; of an agent run, those of all its replies. */
  calls: readonly SampleCall[];
  /** The text of the last reply, without rescued calls and closed reasoning. */
  text: string;
  outcome: OutcomeKind;
  /** The word of the server for why the last reply ended; absent when it reported none. */
  finish?: string | undefined;
  /** Formats of calls that stand in the text and were not read because rescue is off. */
  unread?: readonly string[] | undefined;
  /** Amounts that are not known are absent, never 0. */
  spent: ReplyLimits;
  /** Whether the connection has rates, so that a cost can be known. */
  hasRates: boolean;
  /** Present for an agent run. */
  agent?: { steps: number; stop: AgentStop } | undefined;
  /** The doctor's sentence on why the call failed, if it has one. */
  cause?: string | undefined;
}

/** `no-verdict`: nobody can tell, because the server did not report what the expectation is about. */
export type ExpectationVerdict = 'passed' | 'failed' | 'no-verdict';

/** How the calls of a reply differ from the expected ones: the coarsest difference. */
export interface CallDeparture {
  /**
   * `no-call`: none was made. `call`: none was expected. `other-tool`: one tool instead of another. `other-count`: a tool was
   * called more or less often. `other-arguments`: the expected tools with other arguments.
   */
  kind: 'no-call' | 'call' | 'other-tool' | 'other-count' | 'other-arguments';
  /** Names of the tools that the difference is about; '' for none. */
  expected: string;
  made: string;
}

/** What came of one expectation in one sample. */
export interface JudgedExpectation {
  /** Index in the list of expectations that was judged. */
  index: number;
  name?: string | undefined;
  verdict: ExpectationVerdict;
  /** What was, and what was expected: one line of at most 200 characters. */
  message: string;
  /** Everything else that is wrong or that a reader needs: a line each. Empty when it passed. */
  details: readonly string[];
  /** What was expected and what came, in a normal form that a diff editor can compare. */
  expected: string;
  actual: string;
  /** Where a value that failed stands in the expectation, and the value that came: what *Accept too* adds. */
  accept?: { path: readonly (string | number)[]; value: unknown } | undefined;
  /** Present when it failed by its calls. */
  departure?: CallDeparture | undefined;
}
