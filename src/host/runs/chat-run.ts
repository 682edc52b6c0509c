// One chat. Part of the engine; knows no vscode.
import { ProviderError } from '../../library';
import type { RunOutcome } from '../../protocol';
import type { ChatJob } from './chat-job';
import { startNow, systemPrompt, toFailure, toOutcome } from './chat-job';
import type { ProgressFeed } from './progress-feed';

/** Never rejects: whatever happens is an outcome. */
export async function runChat(job: ChatJob, feed: ProgressFeed): Promise<RunOutcome> {
  const { form, provider, connection, messages, tools, signal, log } = job;
  const began = startNow();
  const prompt = systemPrompt(form);
  const system = prompt === undefined ? [] : [{ role: 'system' as const, content: prompt }];
  log.info(`${connection.label}: run started, model ${form.model}, tools offered: ${tools.length}`);
  try {
    const turn = await provider.chat({
      tools,
      messages: [...system, ...messages],
      sampling: form.sampling,
      signal,
      onDelta: feed.addDelta,
      onProgress: feed.setPhase,
    });
    return toOutcome(job, form.runId, turn, began);
  } catch (error) {
    const ledger = error instanceof ProviderError ? error.ledger : [];
    const outcome = await toFailure(job, form.runId, { error, ledger, began });
    log.info(`${connection.label}: the run ${outcome.verdict.kind}, ${outcome.error?.code}`);
    return outcome;
  }
}
