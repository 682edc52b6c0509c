// A run to the end: the library's agent with the mocks of the tools as their results, told step by step. Part of the
// engine; knows no vscode.
import { createRedactor, ProviderError, runAgent, RunStoppedError } from '../../library';
import type { AgentDefinition, AgentTool } from '../../library';
import type {
  AgentEnding,
  AgentForm,
  AgentOutcome,
  AgentStepView,
  CallAnswer,
  Finding,
} from '../../protocol';
import type { AgentStep, RunReport, ToolResult } from '../../types';
import type { ToolSample } from '../tools/tool-samples';
import type { ChatJob, Start } from './chat-job';
import { createFeed, startNow, systemPrompt, toFailure, toOutcome } from './chat-job';
import type { ProgressFeed } from './progress-feed';

export interface AgentJob extends ChatJob<AgentForm> {
  onStep: (step: AgentStepView) => void;
}

export class AgentRun {
  readonly #job: AgentJob;
  readonly #steps: AgentStepView[] = [];
  readonly #startedMs = performance.now();
  #feed: ProgressFeed;
  #began: Start = startNow();
  /** What failed it, when something did. */
  #failure: { error: unknown } | undefined;

  constructor(job: AgentJob) {
    this.#job = job;
    this.#feed = createFeed(job, this.#stepId());
  }

  /** Everything there is so far. */
  sendAgain(): void {
    for (const step of this.#steps) this.#job.onStep(step);
    this.#feed.send();
  }

  /** Never rejects: whatever happens is an outcome. */
  async run(): Promise<AgentOutcome> {
    const { form, connection, log } = this.#job;
    log.info(
      `${connection.label}: run to the end started, model ${form.model}, at most ${form.maxSteps} steps`,
    );
    const ending = await this.#toEnd();
    this.#feed.end();
    log.info(`${connection.label}: run to the end ended, ${ending.stopReason} after ${ending.steps} steps`);
    return { agentRunId: form.runId, steps: this.#steps, ending };
  }

  async #toEnd(): Promise<AgentEnding> {
    const { messages, signal } = this.#job;
    try {
      const report = await runAgent(this.#toDefinition(), messages, {
        signal,
        onDelta: (delta) => this.#feed.addDelta(delta),
        onProgress: (progress) => this.#feed.setPhase(progress),
      });
      if (this.#failure) return await this.#fail(this.#failure.error, report);
      const { stopReason } = report;
      return this.#toEnding(stopReason, report);
    } catch (error) {
      if (!(error instanceof RunStoppedError)) return this.#fail(error, undefined);
      if (error.code === 'aborted') return this.#fail(error, error.report);
      return { ...this.#toEnding('budget', error.report), detail: error.story.why };
    }
  }

  #toDefinition(): AgentDefinition {
    const { form, provider, tools } = this.#job;
    const { sampling, maxSteps, maxTokens, maxCostUsd } = form;
    return {
      provider,
      sampling,
      maxSteps,
      prompt: systemPrompt(form),
      tools: tools.map(toMockedTool),
      // thrown, because the error says which limit it was
      budget: { maxTokens, maxCostUsd, mode: 'throw' },
      hooks: {
        onResume: (results) => this.#tell({ ...this.#numbered(0), answers: results.map(toAnswer) }),
        onStep: (step) => this.#tellStep(step),
        onError: (error) => {
          this.#failure = { error };
          return ''; // for the report of what was used so far
        },
      },
    };
  }

  #tellStep({ turn, results }: AgentStep): void {
    this.#feed.end();
    const answers = results.map(toAnswer);
    const outcome = toOutcome(this.#job, this.#stepId(), turn, this.#began);
    const found = results.flatMap((result) => toFinding(result, this.#job.tools));
    const findings = [...found, ...outcome.findings];
    this.#tell({ ...this.#numbered(this.#number()), outcome: { ...outcome, findings }, answers });
    this.#began = startNow();
    this.#feed = createFeed(this.#job, this.#stepId());
  }

  #tell(step: AgentStepView): void {
    const redacted = createRedactor(this.#job.secrets).value(step);
    this.#steps.push(redacted);
    this.#job.onStep(redacted);
  }

  /** The step that was under way becomes the last one. */
  async #fail(error: unknown, report: RunReport | undefined): Promise<AgentEnding> {
    // a stop while tools ran leaves a turn that no hook heard of
    const unheard = report?.steps[this.#number() - 1];
    if (unheard) this.#tellStep(unheard);
    const isChat = error instanceof ProviderError && !(error instanceof RunStoppedError);
    const ledger = isChat ? error.ledger : this.#feed.ledger;
    const outcome = await toFailure(this.#job, this.#stepId(), { error, ledger, began: this.#began });
    this.#steps.push({ ...this.#numbered(this.#number()), outcome, answers: [] });
    return this.#toEnding(outcome.verdict.kind === 'stopped' ? 'stopped' : 'error', report);
  }

  #toEnding(stopReason: AgentEnding['stopReason'], report: RunReport | undefined): AgentEnding {
    const answers = this.#steps.flatMap((step) => step.answers);
    return {
      stopReason,
      steps: this.#number() - 1,
      answered: answers.length,
      unmatched: answers.filter(({ isError }) => isError).length,
      usage: report?.usage ?? {},
      ...(report?.costUsd !== undefined && { costUsd: report.costUsd }),
      durationMs: Math.round(performance.now() - this.#startedMs),
    };
  }

  #numbered(step: number): { agentRunId: string; step: number } {
    return { agentRunId: this.#job.form.runId, step };
  }

  /** Of the step that is under way. */
  #number(): number {
    return (this.#steps.at(-1)?.step ?? 0) + 1;
  }

  #stepId(): string {
    return `${this.#job.form.runId}/${this.#number()}`;
  }
}

/** Answers every call with its mock; one without a mock fails, so that neither model nor reader takes '' for a result. */
function toMockedTool({ name, description, parameters, mock }: ToolSample): AgentTool {
  const execute = (): string => {
    if (mock.trim() === '') throw new Error('it has no mock, so there is no result to give');
    return mock;
  };
  return { name, description, parameters, execute };
}

const toAnswer = ({ callId, output, isError }: ToolResult): CallAnswer => ({
  callId,
  content: output,
  isError,
});

/** A call without a result, by why it has none; the output is what the model was told. */
function toFinding({ name, output, isError }: ToolResult, tools: readonly ToolSample[]): Finding[] {
  if (!isError) return [];
  const tool = tools.find((offered) => offered.name === name);
  const byHand = 'or give the result by hand.';
  const found = { severity: 'warning', tab: 'tool-calls' } as const;
  if (!tool)
    return [{ ...found, what: `\`${name}\` is no tool that was offered.`, next: `Offer it, ${byHand}` }];
  if (tool.mock.trim() === '')
    return [
      { ...found, what: `The tool \`${name}\` has no mock.`, next: `Offer one with a mock, ${byHand}` },
    ];
  const what = `The call of \`${name}\` was answered with an error. ${output}`;
  return [{ ...found, what, next: `Compare its arguments with the parameters of the tool, ${byHand}` }];
}
