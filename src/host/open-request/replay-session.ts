// Opens a recorded session of another program as an evaluation: its turns are asked again on other lanes. Sends nothing.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../connections';
import { countOf, toLabel } from '../../inspect';
import { readRecordLines } from '../../recording';
import { isRecord } from '../../protocol';
import type { RecordedConversation, ReplayLane, SessionReplay, StoredExchanges } from '../../session';
import type { CommandServices } from '../commands/command-services';
import { usedLanes } from '../commands/new-playground';
import { pickMany, pickOne } from '../dialogs';
import type { Engine } from '../load-engine';
import { loadEngine } from '../load-engine';
import { readTextFile } from '../tools/read-text-file';
import { sameOrigin } from './choose-connection';
import { sayLeftOut, sayUnread } from './open-request';

/** In bytes. The requests of a session contain its history again and again. */
const MAX_FILE = 256_000_000;
const MAX_LISTED = 500;

interface Recorded {
  conversations: RecordedConversation[];
  /** What of the recording is in none of them; each a phrase for people. */
  leftOut: string[];
}

/**
 * @param target The URI of a file of `provider-playground proxy --record`, or a stored recording in the history; without one,
 * the person chooses.
 */
export async function replayRecordedSession(services: CommandServices, target?: unknown): Promise<void> {
  const engine = await loadEngine();
  await sayUnread(engine, async () => {
    const recorded = await readTarget(engine, services, target);
    if (recorded) await replayConversations(services, recorded);
  });
}

/** @param stored Of one recording. */
export async function replayRecording(services: CommandServices, stored: StoredExchanges): Promise<void> {
  const engine = await loadEngine();
  await sayUnread(engine, () => replayConversations(services, sortExchanges(engine, stored)));
}

/** @throws UnreadRequest when the chosen conversation has no turn to ask again */
export async function replayConversations(
  services: CommandServices,
  { conversations, leftOut }: Recorded,
): Promise<void> {
  const { replaySession } = await loadEngine();
  const conversation = await pickConversation(conversations);
  if (!conversation) return;
  const replay = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Reading the recorded session…') },
    async () => replaySession(conversation.exchanges),
  );
  const lanes = await pickLanes(services, replay);
  if (!lanes || lanes.length === 0) return;
  const backing = services.scratches.create(replay.toText(lanes));
  services.pool.wanted.ask(backing.id, { kind: 'evaluation' });
  services.panels.openScratch(backing);
  void sayLeftOut({ leftOut: [...replay.leftOut, ...leftOut] });
}

/** @returns undefined when the person cancelled. @throws UnreadRequest */
async function readTarget(
  engine: Engine,
  services: CommandServices,
  target: unknown,
): Promise<Recorded | undefined> {
  const { recordings } = services;
  if (target instanceof vscode.Uri) return readConversations(engine, target);
  const named = isRecord(target) && typeof target['sessionId'] === 'string' ? target['sessionId'] : undefined;
  const stored = named === undefined ? await pickStored(await recordings.stored()) : { sessionId: named };
  if (!stored) return undefined;
  if (stored.sessionId !== undefined)
    return sortExchanges(engine, await recordings.exchanges(stored.sessionId));
  const uri = await chooseFile();
  return uri && readConversations(engine, uri);
}

/** @returns without an id for a file, undefined when the person cancelled */
async function pickStored(
  stored: readonly { sessionId: string; label: string; modifiedAt: number }[],
): Promise<{ sessionId?: string | undefined } | undefined> {
  if (stored.length === 0) return {};
  const items: (vscode.QuickPickItem & { sessionId?: string })[] = [
    ...stored.slice(0, MAX_LISTED).map(({ sessionId, label, modifiedAt }) => ({
      label: t('Recording: {0}', toLabel(label)),
      description: new Date(modifiedAt).toLocaleString(),
      sessionId,
    })),
    { label: t('File…'), description: t('of Export, or of the command line') },
  ];
  return pickOne(items, {
    title: t('Replay Recorded Session'),
    placeHolder: t('Which recording has the session?'),
  });
}

/** @throws UnreadRequest */
function sortExchanges(
  { UnreadRequest, recordedConversations }: Engine,
  { exchanges, lost }: StoredExchanges,
): Recorded {
  const conversations = recordedConversations(exchanges);
  if (exchanges.length === 0 && lost > 0)
    throw new UnreadRequest(
      t('The requests are no longer stored.'),
      t('Record again, or raise the limits in the settings.'),
    );
  if (conversations.length === 0)
    throw new UnreadRequest(
      t('The recording has no chat in a protocol that is known here.'),
      t('Choose another recording.'),
    );
  const isCut = lost > 0;
  return { conversations, leftOut: isCut ? [t('requests that are no longer stored: {0}', lost)] : [] };
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
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
): Promise<Recorded> {
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
    ...recorded.map((connection) => toItem(connection, model)),
  ];
  const distinct = items.filter(
    ({ lane }, index) =>
      index ===
      items.findIndex((one) => one.lane.connection === lane.connection && one.lane.model === lane.model),
  );
  const isRecorded = ({ lane }: Item): boolean =>
    lane.model === model && recorded.some(({ id }) => id === lane.connection);
  const picked = await pickMany(
    distinct.map((item, index) => ({
      ...item,
      ...(isRecorded(item) && { description: `${item.description} · ${t('as recorded')}` }),
      picked: index === 0,
    })),
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

function toItem({ id, label, setting }: Connection, model: string | undefined): Item {
  return {
    label: toLabel(model ?? label),
    description: model === undefined ? t('the model is chosen in the lane') : toLabel(label),
    lane: { connection: id, model, protocol: setting.provider },
  };
}
