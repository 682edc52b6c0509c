// Opens a recorded session of another program as an evaluation: its turns are asked again on other lanes. Sends nothing.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../connections';
import { countOf, toLabel } from '../../inspect';
import { readRecordLines } from '../../recording';
import type { RecordedConversation, ReplayLane, SessionReplay } from '../../session';
import type { CommandServices } from '../commands/command-services';
import { usedLanes } from '../commands/new-playground';
import { pickMany, pickOne, showMessage } from '../dialogs';
import type { Engine } from '../load-engine';
import { loadEngine } from '../load-engine';
import { readTextFile } from '../tools/read-text-file';
import { sameOrigin } from './choose-connection';
import { sayLeftOut } from './open-request';

/** In bytes. The requests of a session contain its history again and again. */
const MAX_FILE = 256_000_000;
const MAX_LISTED = 500;

/** @param target The URI of a file of `provider-playground proxy --record`; without one, the person chooses. */
export async function replayRecordedSession(services: CommandServices, target?: unknown): Promise<void> {
  const engine = await loadEngine();
  try {
    const uri = target instanceof vscode.Uri ? target : await chooseRecording();
    if (!uri) return;
    const { conversations, leftOut } = await readConversations(engine, uri);
    await replayConversations(services, conversations, leftOut);
  } catch (error) {
    if (!(error instanceof engine.UnreadRequest)) throw error;
    void showMessage('warning', `${error.message} ${error.next}`);
  }
}

/**
 * @param conversations At least one. @param leftOut What of the recording is in none of them; each a phrase for people.
 * @throws UnreadRequest when the chosen one has no turn to ask again
 */
export async function replayConversations(
  services: CommandServices,
  conversations: readonly RecordedConversation[],
  leftOut: readonly string[] = [],
): Promise<void> {
  const { replaySession } = await loadEngine();
  const conversation = await pickConversation(conversations);
  if (!conversation) return;
  const replay = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Reading the recorded session…') },
    async () => replaySession(conversation.exchanges),
  );
  const lanes = await pickLanes(services, replay);
  if (!lanes || lanes.length === 0) return;
  const backing = services.scratches.create(replay.toText(lanes));
  services.pool.wanted.ask(backing.id, { kind: 'evaluation' });
  services.panels.openScratch(backing);
  void sayLeftOut({ leftOut: [...replay.leftOut, ...leftOut] });
}

async function chooseRecording(): Promise<vscode.Uri | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: t('Replay Recorded Session'),
      filters: { [t('Recordings')]: ['jsonl'], [t('All Files')]: ['*'] },
    })) ?? [];
  return uri;
}

/** @throws UnreadRequest */
async function readConversations(
  { UnreadRequest, recordedConversations }: Engine,
  uri: vscode.Uri,
): Promise<{ conversations: RecordedConversation[]; leftOut: string[] }> {
  let text: string;
  try {
    text = await readTextFile(uri, MAX_FILE);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnreadRequest(t('The file cannot be read: {0}.', why), t('Choose another file.'));
  }
  const { recordings, unread } = readRecordLines(text);
  const conversations = recordings.flatMap(({ exchanges }) => recordedConversations(exchanges));
  const next = t('Record one: {0}', 'provider-playground proxy --target <address> --record session.jsonl');
  if (recordings.length === 0) throw new UnreadRequest(t('The file is no recording.'), next);
  if (conversations.length === 0)
    throw new UnreadRequest(t('The recording has no chat in a protocol that is known here.'), next);
  const isCut = unread.length > 0;
  return { conversations, leftOut: isCut ? [t('lines that cannot be read: {0}', unread.length)] : [] };
}

async function pickConversation(
  conversations: readonly RecordedConversation[],
): Promise<RecordedConversation | undefined> {
  const [only, another] = conversations;
  if (only && !another) return only;
  const items = conversations.slice(-MAX_LISTED).map((conversation) => {
    const { opening, program, model, startedAt, exchanges } = conversation;
    const requests = countOf(exchanges.length, t('{0} request'), t('{0} requests'));
    const name = opening.trim() === '' ? program || t('Session') : opening;
    return {
      label: toLabel(name, 80),
      description: [program, model, requests]
        .filter(Boolean)
        .map((part) => toLabel(part))
        .join(' · '),
      detail: new Date(startedAt).toLocaleString(),
      conversation,
    };
  });
  const picked = await pickOne(items, {
    title: t('Replay Recorded Session'),
    placeHolder: t('The recording has {0} sessions. Which one is to be asked again?', conversations.length),
  });
  return picked?.conversation;
}

type Item = vscode.QuickPickItem & { lane: ReplayLane };

/** @returns undefined when the person cancelled */
async function pickLanes(
  services: CommandServices,
  { protocol, model, host, turns }: SessionReplay,
): Promise<ReplayLane[] | undefined> {
  const { connections } = await services.connections.get();
  const usable = connections.list().filter(({ problem }) => problem === undefined);
  const wanted = sameOrigin(host);
  const recorded = usable.filter(
    ({ setting }) =>
      wanted !== undefined && setting.provider === protocol && sameOrigin(setting.host) === wanted,
  );
  const known = (await usedLanes(services)).flatMap(({ connection: id, model: used }) =>
    usable.filter((connection) => connection.id === id).map((connection) => toItem(connection, used)),
  );
  const items = [
    ...known,
    ...usable.map((connection) => toItem(connection, connection.setting.model)),
    ...recorded.map((connection) => toItem(connection, model, t('as recorded'))),
  ];
  const distinct = items.filter(
    ({ lane }, index) =>
      index ===
      items.findIndex((one) => one.lane.connection === lane.connection && one.lane.model === lane.model),
  );
  const picked = await pickMany(
    distinct.map((item, index) => ({ ...item, picked: index === 0 })),
    {
      title: t('Replay Recorded Session'),
      placeHolder: countOf(
        turns,
        t('Which lanes are asked the {0} turn? Nothing is sent yet.'),
        t('Which lanes are asked the {0} turns? Nothing is sent yet.'),
      ),
    },
  );
  return picked?.map(({ lane }) => lane);
}

function toItem({ id, label, setting }: Connection, model: string | undefined, note?: string): Item {
  return {
    label: toLabel(model ?? label),
    description: [model === undefined ? t('the model is chosen in the lane') : toLabel(label), note]
      .filter((part) => part !== undefined)
      .join(' · '),
    lane: { connection: id, model, protocol: setting.provider },
  };
}
