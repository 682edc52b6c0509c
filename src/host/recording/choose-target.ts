// Decides where the requests of a program go, and asks the person what only they can answer: which connection, whether an address
// that a workspace gave is right, and whether the key may be added.
import { t } from '@vscode/l10n';
import type { Connection, Connections } from '../../connections';
import { originOf } from '../../connections';
import { toLabel } from '../../inspect';
import type { RecordedConnection } from '../../protocol';
import { describeScope } from '../connections-view/state-words';
import { pickOne, showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import type { RecordedTarget } from './live-recording';

type Opened = Pick<Connections, 'connections' | 'keys'>;

/** Answers that were given already, by what they are about: each question is asked once for a recording. */
export type Answers = Map<string, boolean>;

export const toRecorded = (connection: Connection): RecordedConnection => {
  const problem = problemOf(connection);
  return {
    id: connection.id,
    label: toLabel(connection.label),
    ...(problem !== undefined && { problem }),
  };
};

function problemOf({ problem, provided }: Connection): string | undefined {
  if (provided) return t('Its own code makes its requests, so they have no address to pass others on to.');
  return problem;
}

/** @returns undefined when the person cancelled */
export async function pickConnection({ connections }: Opened): Promise<Connection | undefined> {
  await connections.refresh();
  const items = connections
    .list()
    .filter((connection) => problemOf(connection) === undefined)
    .map((connection) => ({
      label: toLabel(connection.label),
      description: describeScope(connection),
      connection,
    }));
  const picked = await pickOne(items, {
    title: t('Record Another Program'),
    placeHolder: t('Where do the requests of the program go? You get an address to give to it.'),
  });
  return picked?.connection;
}

/** @returns undefined when the person cancelled. @throws ConnectionProblem */
export async function resolveTarget(
  { connections, keys }: Opened,
  connection: Connection,
  answers: Answers,
): Promise<RecordedTarget | undefined> {
  const { setting, builtIn } = connection;
  const { PROVIDER_CATALOG } = await loadEngine();
  const entry = PROVIDER_CATALOG.find(({ id }) => id === setting.provider);
  const host = builtIn ? await builtIn.host() : (setting.host ?? entry?.defaults.host);
  const origin = originOf(host);
  if (host === undefined || origin === undefined || problemOf(connection) !== undefined) {
    void showMessage('warning', problemOf(connection) ?? t('{0} has no address.', connection.label));
    return undefined;
  }
  if (!(await isAddressMeant(connection, origin, answers))) return undefined;
  const clients = {
    openai: ['openai'],
    'openai-responses': ['openai'],
    anthropic: ['anthropic'],
    ollama: ['ollama', 'openai'],
  } as const;
  const { pathname } = new URL(host);
  const key = await askForKey({ connections, keys }, connection, answers);
  if (!key) return undefined;
  return {
    connection: toRecorded(connection),
    // A query belongs to single requests.
    target: origin + (pathname === '/' ? '' : pathname),
    clients: clients[entry?.client ?? 'openai'],
    ...(setting.model !== undefined && { model: setting.model }),
    // What is built in runs on this machine, so it needs no proxy.
    network: builtIn ? undefined : connections.chooseNetwork(origin).options,
    ...key,
  };
}

/** Whoever wrote the workspace could otherwise have the requests and keys of a program sent to themselves. */
async function isAddressMeant(connection: Connection, origin: string, answers: Answers): Promise<boolean> {
  const { scope, narrowed = [], label, id } = connection;
  const isOwn = scope !== 'workspace' && scope !== 'folder' && !narrowed.includes('host');
  const question = JSON.stringify(['address', id, origin]);
  if (isOwn || answers.get(question)) return true;
  const record = t('Record');
  const answer = await showMessage(
    'warning',
    t('The settings of this workspace say where {0} is: {1}', toLabel(label), origin),
    {
      modal: true,
      detail: t(
        'Everything that the program sends goes there, with its key if it sends one. Record only if you know this address.',
      ),
    },
    record,
  );
  answers.set(question, answer === record);
  return answer === record;
}

/** @returns undefined when the person cancelled */
async function askForKey(
  { connections, keys }: Opened,
  connection: Connection,
  answers: Answers,
): Promise<Pick<RecordedTarget, 'key' | 'findKey'> | undefined> {
  const target = await connections.keyTarget(connection);
  if (!target) return { key: 'none' };
  // Reads it, so that it is masked wherever it appears.
  if (!(await connections.hasKey(connection))) return { key: 'missing' };
  const question = JSON.stringify(['key', target.id, target.binding]);
  if (!answers.has(question)) {
    const add = t('Add Key');
    const leave = t('Do Not Add');
    const answer = await showMessage(
      'information',
      t('May programs that send no key use the key of {0}?', toLabel(connection.label)),
      {
        modal: true,
        detail: t(
          'It is added to their requests on the way to {0}, and to no others. Programs do not get to see it, and it is neither recorded nor shown. A program that sends a key of its own keeps that.',
          target.recipient,
        ),
      },
      add,
      leave,
    );
    if (answer === undefined) return undefined;
    answers.set(question, answer === add);
  }
  if (!answers.get(question)) return { key: 'missing' };
  // Bound to where it was given for: it stays so when the settings change while it is recorded.
  return { key: 'added', findKey: () => keys.get(target.id, target.binding) };
}
