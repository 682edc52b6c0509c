// Reads the names of a connection's models for a page.
import { t } from '@vscode/l10n';
import { isKnownEmbedder } from '../inspect';
import type { ModelList } from '../protocol';
import { RefusalError } from '../session';
import type { ConnectionService } from './connection-service';

/** Maximum number of names sent to the page, because a server may list any number. */
const MAX_MODELS = 2_000;
const MAX_NAME = 200;

/** @param limit.timeoutMs A list that takes longer counts as unavailable. @throws RefusalError, ProviderError */
export async function listModels(
  connections: Pick<ConnectionService, 'find' | 'makeProvider' | 'redactor'>,
  connectionId: string,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<ModelList> {
  const connection = connections.find(connectionId);
  const { provider } = await connections.makeProvider({ connection, model: '-', rescueToolCalls: true });
  const limit = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, limit]);
  // Raced, because third-party code may ignore the signal.
  const listed = await Promise.race([provider.listModels({ signal: ended }), rejectAt(ended)]).catch(
    (error: unknown) => {
      if (!limit.aborted || signal.aborted) throw error;
      throw new RefusalError({
        code: 'timeout',
        title: t('{0} took too long', connection.label),
        what: t('The list of models was not received within {0} s.', timeoutMs / 1000),
        why: t('The server is not reachable, is busy, or has no list of models.'),
        next: t('Type the name of a model, or try again.'),
      });
    },
  );
  // Third-party code may list anything.
  const fitting = listed.filter((name) => typeof name === 'string' && name.length <= MAX_NAME);
  const names = fitting.slice(0, MAX_MODELS);
  const omitted = fitting.length - names.length;
  const models = connections.redactor().value(names);
  const embedModel = connection.setting.embedModel ?? models.find(isKnownEmbedder);
  const chatModels = models.filter((model) => !isKnownEmbedder(model));
  const isPart = chatModels.length > 0 && chatModels.length < models.length;
  return {
    models,
    ...(isPart && { chatModels }),
    ...(embedModel !== undefined && { embedModel }),
    ...(omitted > 0 && { omitted }),
  };
}

function rejectAt(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
