// What a command of `provider-playground` is: its options, its help, and how it ends. Loads nothing that runs one, so that help
// answers at once.
import type { Terminal } from './terminal';

/** How a command ends. `unmet`: a gate is not met. `unusable`: nothing was sent. `undecided`: the gates cannot be judged. */
export const EXIT = { done: 0, unmet: 1, unusable: 2, undecided: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Option {
  type: 'boolean' | 'string';
  multiple?: boolean;
  /** Name of the value in the help, such as `N`. */
  value?: string;
  says: () => string;
}
export type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { multiple: true }
    ? string[]
    : string;
export type Values<O extends Options> = { [Name in keyof O]?: ValueOf<O[Name]> };

export interface Call<O extends Options = Options> {
  values: Values<O>;
  /** What stands beside the options, such as paths. */
  operands: readonly string[];
  terminal: Terminal;
}

export interface Help {
  /** In the list of commands: a few words. */
  summary: string;
  /** What stands beside the options, such as `[files or folders…]`. */
  operands: string;
  /** Sentences. */
  about: string;
  /** Each with what it does. */
  examples: readonly (readonly [line: string, says: string])[];
}

export interface Command<O extends Options = Options> {
  name: string;
  help: () => Help;
  options: O;
  /** Imports what it needs when it is called. @throws CommandError */
  run: (call: Call<O>) => Promise<ExitCode>;
}

/** Keeps the types of the options while the commands stand in one table. */
export const toCommand = <const O extends Options>(command: Command<O>): Command =>
  command as unknown as Command;

/** Why a command cannot be done, for a person: what happened, why, and what to do next; '' where that is clear. */
export class CommandError extends Error {
  readonly why: string;
  readonly next: string;

  constructor(what: string, next: string, why = '') {
    super(what);
    this.name = 'CommandError';
    this.why = why;
    this.next = next;
  }
}
