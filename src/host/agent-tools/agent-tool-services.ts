// Runs the tools for agents: reads their input, bounds what a model is told, and puts errors into words that say what to do next.
// Bundled as a chunk that is loaded with the first use.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toVisible, toVisibleLines } from '../../inspect';
import { isRecord } from '../../library';
import type { AgentToolName } from '../contributions';
import { loadEngine } from '../load-engine';
import { toSignal } from '../to-signal';
import type { AgentTool, AgentToolDependencies } from './agent-tool';
import { createEvaluateFile } from './evaluate-file';
import { createExplainRun } from './explain-run';
import { createReadReply } from './read-reply';

/** Of a result, in UTF-16 code units: a conversation keeps it for good, and pays for it again with each request. */
const MAX_RESULT = 24_000;
const MIN_RESULT = 2_000;
const UNITS_PER_TOKEN = 3;
const MAX_ERROR = 1_000;

export class AgentToolServices {
  readonly #tools: Readonly<Record<AgentToolName, AgentTool>>;

  constructor({ pool, evaluations }: AgentToolDependencies) {
    this.#tools = {
      readReply: createReadReply(),
      evaluateFile: createEvaluateFile(evaluations),
      explainRun: createExplainRun(pool),
    };
  }

  async prepare(name: AgentToolName, input: unknown): Promise<vscode.PreparedToolInvocation> {
    const { title, message, progress } = await inWords(this.#tools[name].prepare(toInput(input)));
    return {
      invocationMessage: toVisible(progress),
      confirmationMessages: { title: toVisible(title), message: toPlain(message) },
    };
  }

  async invoke(
    name: AgentToolName,
    { input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const budget = (tokenizationOptions?.tokenBudget ?? Infinity) * UNITS_PER_TOKEN;
    const most = Math.max(MIN_RESULT, Math.min(MAX_RESULT, budget));
    const told = await inWords(this.#tools[name].invoke(toInput(input), { signal: toSignal(token), most }));
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(told)]);
  }
}

function toInput(input: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(input)) return input;
  throw new Error(t('The input of the tool must be an object.'));
}

/** A Markdown text in which nothing of a model is a link or a command. */
function toPlain(message: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = false;
  return text.appendText(toVisibleLines(message));
}

/** @throws an error whose message is all that the model is told */
async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { RefusalError } = await loadEngine();
    const { what, why, next } =
      error instanceof RefusalError ? error.info : { what: messageOf(error), why: '', next: '' };
    throw new Error(toVisible([what, why, next].filter(Boolean).join(' ').slice(0, MAX_ERROR)), {
      cause: error,
    });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
