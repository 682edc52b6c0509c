// What a tool for agents is. Its input is from a model: the editor checks it against the schema of the manifest at most, so each tool
// reads it by itself.
import { t } from '@vscode/l10n';
import type { JsonRecord } from '../../inspect';
import type { Evaluations } from '../evaluations/evaluations';
import type { SessionPool } from '../playground/session-pool';

export interface AgentToolDependencies {
  pool: Pick<SessionPool, 'store'>;
  evaluations: Pick<Evaluations, 'services'>;
}

/** What a person is told before a tool runs. */
export interface Confirmation {
  title: string;
  /** Whole sentences. */
  message: string;
  /** While it runs. */
  progress: string;
}

export interface ToolLimits {
  signal: AbortSignal;
  /** Length of the result in UTF-16 code units, about. */
  most: number;
}

export interface AgentTool {
  /** Sends and changes nothing. @throws an error that says what is wrong with the input */
  prepare: (input: JsonRecord) => Promise<Confirmation>;
  /** @returns what the model is told. @throws an error that says what is wrong and what to do next */
  invoke: (input: JsonRecord, limits: ToolLimits) => Promise<string>;
}

/** @returns undefined when it is absent. @throws when it is something else than a text */
export function textOf(input: JsonRecord, key: string): string | undefined {
  const value = input[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new Error(t('{0} must be a string.', key));
}
