// What the editor's chat is told of a finished run: its calls, its usage, why it was cut, or why there is no reply. Pure.
import { t } from '@vscode/l10n';
import type { ServedReply } from '../../session';
import type { TokenUsage } from '../../types';

export interface ReportedCall {
  callId: string;
  name: string;
  input: object;
}

export type Reported =
  { kind: 'reply'; calls: ReportedCall[]; note?: string | undefined; usage?: object | undefined } | Failure;

export interface Failure {
  kind: 'failure';
  /** For a person. */
  message: string;
  /** The server wants a key, or another one. */
  isKeyWanted: boolean;
}

/** @param usedIds Ids of the calls of the conversation so far: the editor tells calls apart by them. */
export function reportReply(
  { record: { turn, error }, delivered }: ServedReply,
  usedIds: ReadonlySet<string>,
): Reported {
  if (!turn) return toFailure(describeFailure(error), error?.isKeyWanted);
  if (delivered.broken !== undefined) return toFailure(describeBroken(delivered.broken));
  const isCut = turn.raw.finishReason === 'length';
  const known = new Set(usedIds);
  const calls = delivered.calls.map(({ id, name, arguments: input }) => {
    const callId = known.has(id) ? crypto.randomUUID() : id;
    known.add(callId);
    return { callId, name, input };
  });
  const usage = toUsage(turn.usage);
  return {
    kind: 'reply',
    calls,
    ...(isCut && { note: `\n\n*${t('The reply was cut at its limit of tokens.')}*` }),
    ...(usage && { usage }),
  };
}

const toFailure = (message: string, isKeyWanted = false): Failure => ({
  kind: 'failure',
  message,
  isKeyWanted,
});

const describeFailure = (error: ServedReply['record']['error']): string =>
  [error?.title, error?.what, error?.why, error?.next, seeHistory()]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => (/[.!?]$/.test(part ?? '') ? part : `${part}.`))
    .join(' ');

const describeBroken = (name: string): string =>
  [
    t('The model called {0} with arguments that are no JSON object.', name),
    t(
      'They are not replaced by an empty object, because the tool would then run with arguments that nobody chose.',
    ),
    seeHistory(),
  ].join(' ');

const seeHistory = (): string =>
  t('The whole reply is in the history of Provider Playground, under VS Code chat.');

/** The names that the editor's chat reads, which are those of OpenAI. Nothing is made up: without counts there is no usage. */
function toUsage(usage: TokenUsage): object | undefined {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage;
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  };
}
