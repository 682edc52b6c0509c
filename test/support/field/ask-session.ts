// Runs a case in a session, as a person does who has set up a connection to that server, and returns everything that the
// person reads about it. A session always asks for a stream; a server may answer with a whole document all the same.
import { createConnectionSource } from '../../../src/connections/connection-source';
import { ConnectionService } from '../../../src/connections/connection-service';
import { ApiKeys } from '../../../src/connections/keys/api-keys';
import { DemoSource } from '../../../src/connections/sources/demo-source';
import { SettingsSource } from '../../../src/connections/sources/settings-source';
import { editorFace } from '../../../src/host/connections/editor-face';
import type { ErrorInfo, RunEntry } from '../../../src/protocol';
import { MemoryRunStore, RequestGate, Session, SYSTEM_CLOCK } from '../../../src/session';
import type { Finding } from '../../../src/types';
import { FakeSecrets } from '../connections/fake-secrets';
import { NO_ROWS, MemoryBacking } from '../session/scripted-session';
import { QUESTION, SHORT_WAITS } from './ask-provider';
import type { EmbeddingCase, WireCase } from './field-case';
import { playReplies } from './play-replies';

/** What a person reads about a run. */
export interface Shown {
  findings: readonly Finding[];
  error?: ErrorInfo | undefined;
}

export async function askSession(item: WireCase): Promise<Shown> {
  const { messages = [QUESTION], maxTokens, raw } = item.request ?? {};
  const lane = {
    id: 'a',
    connection: 'server',
    ...(maxTokens !== undefined && { sampling: { maxTokens } }),
    ...(raw && { raw }),
  };
  return playIn(item, { tools: item.tools ?? [], lanes: [lane] }, async ({ session, until }) => {
    const read = () => session.laneSnapshot('a', undefined);
    for (const { content } of messages) {
      await session.conversations.start(['a'], content, { kind: 'chat' });
      await until(() => read()?.run === null);
    }
    const run = read()?.entries.findLast((entry): entry is RunEntry => entry.kind === 'run');
    if (!run?.outcome) throw new Error('The run left no outcome.');
    return run.outcome;
  });
}

export async function embedInSession(item: EmbeddingCase): Promise<Shown> {
  const document = { embedding: { connection: 'server', texts: item.texts } };
  return playIn(item, document, async ({ session, until }) => {
    await session.embedding.start();
    await until(() => session.embedding.snapshot.outcome !== undefined);
    const { result, error } = session.embedding.snapshot.outcome ?? {};
    return { findings: result?.findings ?? [], error };
  });
}

interface Opened {
  session: Session;
  /** Resolves when the condition holds; it is checked whenever the session changes. */
  until: (condition: () => boolean) => Promise<void>;
}

async function playIn(
  item: WireCase,
  document: object,
  work: (opened: Opened) => Promise<Shown>,
): Promise<Shown> {
  const server = await playReplies([item]);
  const host = item.endpoint === 'local-host' ? server.url : `${server.url}/v1`;
  const setting = { provider: item.endpoint, label: 'Server', host, model: 'm', retry: SHORT_WAITS };
  const keyless = item.endpoint === 'local-host' ? {} : { auth: 'none' };
  const session = await openSession({ server: { ...setting, ...keyless } }, JSON.stringify(document));
  try {
    const until = (condition: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (condition()) resolve();
        };
        session.onDidChange(look);
        look();
      });
    return await work({ session, until });
  } finally {
    await session.dispose();
  }
}

async function openSession(connections: object, text: string): Promise<Session> {
  const demo = new DemoSource();
  const read = () => ({ merged: connections, user: connections });
  const service = new ConnectionService({
    face: editorFace(),
    keys: new ApiKeys(new FakeSecrets()),
    sources: [demo, new SettingsSource({ read }, demo, editorFace())],
    chooseNetwork: () => ({ options: {}, why: 'a test' }),
    log: { error: () => undefined },
  });
  const backing = new MemoryBacking(text);
  const ignore = () => undefined;
  return Session.open({
    backing,
    store: new MemoryRunStore(),
    rowsFile: NO_ROWS,
    connections: createConnectionSource(service, () => ignore),
    tools: {
      resolve: (reference) => Promise.resolve(`There is no tool ${reference}.`),
      invoke: () => Promise.reject(new Error('It was not confirmed.')),
      onDidChange: () => ignore,
    },
    gate: new RequestGate(() => 4),
    clock: SYSTEM_CLOCK,
    log: { info: ignore, warn: ignore, error: ignore },
    requestsLeaveFrom: 'this computer',
  });
}
