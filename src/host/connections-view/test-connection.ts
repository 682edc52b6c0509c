// Tests a connection with one tiny chat and describes the result in one sentence.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatDuration, toLabel } from '../../inspect';
import type { ErrorInfo } from '../../protocol';
import type { Clock } from '../../session';
import type { Connection, ConnectionService } from '../../connections';
import { COMMANDS } from '../contributions';
import { showMessage } from '../dialogs';
import { toSignal } from '../to-signal';

export interface TestServices {
  connections: Pick<ConnectionService, 'makeProvider' | 'redactor'>;
  clock: Clock;
  explain: (error: unknown, connection?: Connection) => Promise<ErrorInfo>;
}

export type TestOutcome = { said: string } | { error: ErrorInfo };

const QUESTION = 'Answer with the one word: ready';
/** Leaves room for models that reason before they answer. */
const MAX_TOKENS = 200;
const MAX_SHOWN = 80;

/** Never throws. @returns undefined when the test was cancelled. */
export async function testConnection(
  { connections, clock, explain }: TestServices,
  connection: Connection,
  { model, signal }: { model: string | undefined; signal: AbortSignal },
): Promise<TestOutcome | undefined> {
  const name = model ?? connection.setting.model;
  const start = clock.elapsed();
  try {
    const { provider } = await connections.makeProvider({ connection, model: name, rescueToolCalls: true });
    const { raw } = await provider.chat({
      messages: [{ role: 'user', content: QUESTION }],
      sampling: { maxTokens: MAX_TOKENS },
      signal,
    });
    const took = formatDuration(clock.elapsed() - start);
    const content = connections.redactor().text(raw.content);
    const words = content.trim();
    const who = raw.model ?? name ?? connection.label;
    const said =
      words === ''
        ? t('{0} answered in {1}, without text.', toLabel(who), took)
        : t('{0} answered in {1}: “{2}”.', toLabel(who), took, toLabel(words, MAX_SHOWN));
    return { said };
  } catch (error) {
    return signal.aborted ? undefined : { error: await explain(error, connection) };
  }
}

/** Runs the test with a progress notification that can be cancelled. */
export function testWithProgress(
  services: TestServices,
  connection: Connection,
  model: string | undefined,
): Promise<TestOutcome | undefined> {
  const title = t('Testing {0} …', toLabel(connection.label));
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return Promise.resolve(
    vscode.window.withProgress(options, (_, token) =>
      testConnection(services, connection, { model, signal: toSignal(token) }),
    ),
  );
}

/** Shows an error with the next step as a button. @param before Text in front, such as “Groq was added.” */
export async function showError(error: ErrorInfo, connection?: Connection, before = ''): Promise<void> {
  const isKey = error.isKeyWanted === true;
  const steps: Record<string, string> = {
    ...(connection && isKey && { [t('Set API Key')]: COMMANDS.setApiKey }),
    ...(connection && !isKey && { [t('Diagnose')]: COMMANDS.diagnoseConnection }),
    ...(connection && { [t('Edit')]: COMMANDS.editConnection }),
    [t('Show Log')]: COMMANDS.showLog,
  };
  const text = [before, error.what, error.why, error.next].filter(Boolean).map((part) => toLabel(part, 400));
  const chosen = await showMessage('error', text.join(' '), {}, ...Object.keys(steps));
  const command = chosen === undefined ? undefined : steps[chosen];
  if (command === undefined) return;
  await vscode.commands.executeCommand(command, connection && { kind: 'connection', id: connection.id });
}
