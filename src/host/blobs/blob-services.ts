// Reads blobs of evaluations and makes a session of one, which has its connections and its replies and sends nothing. Bundled as a
// chunk that is loaded on first use. Nothing in a blob is run or trusted: anybody may have written it.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toLabel } from '../../inspect';
import type { Blob, ConnectionSource, DocumentBacking, JoinedBlobs } from '../../session';
import { SYSTEM_CLOCK } from '../../session';
import { BLOB_VIEW_TYPE } from '../contributions';
import { pickOne } from '../dialogs';
import { loadEngine } from '../load-engine';
import { openText } from '../playground/files/open-text';
import { fileSessionId } from '../playground/files/file-backing';
import { rowsFileFor } from '../playground/files/rows-file';
import { saveAsFile } from '../playground/files/save-as-file';
import type { Lease, OwnedBacking } from '../playground/session-pool';
import type { ViewOptions, ViewServices } from '../playground/view-options';
import { WantedPlace } from '../playground/wanted-place';

const MEGABYTE = 1_000_000;
/** Of all blobs that are joined: a text of this size takes about a second. */
const MAX_BYTES = 100 * MEGABYTE;
const MAX_SHARDS = 64;
const ENDING = '.jsonl';

/** Asks for blobs, and opens each in its editor. */
export async function chooseBlobs(): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    title: t('Open Evaluation Blob'),
    filters: { [t('Evaluation blob')]: [ENDING.slice(1)] },
  });
  for (const uri of chosen ?? [])
    await vscode.commands.executeCommand('vscode.openWith', uri, BLOB_VIEW_TYPE);
}

export type OpenedBlob = Pick<ViewOptions, 'backing' | 'openText' | 'saveAs'> &
  Pick<ViewOptions['services'], 'pool'>;

/** What cannot be opened, and what to do. */
interface BlobProblem {
  what: string;
  next: string;
}

/** Never rejects. */
export async function openBlob(
  uri: vscode.Uri,
  services: Pick<ViewServices, 'tools' | 'log'>,
): Promise<OpenedBlob | { problem: BlobProblem }> {
  try {
    const read = await readBlob(uri);
    if ('problem' in read) return read;
    const { joinBlobs } = await loadEngine();
    const joined = joinBlobs(read.blob, await shardsBeside(uri, read.blob));
    const path = await pickPlayground(joined);
    return path === undefined
      ? { problem: { what: t('No playground of the blob was chosen.'), next: t('Open it again.') } }
      : await toOpened(uri, joined, path, services);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      problem: {
        what: t('{0} cannot be opened: {1}', nameOf(uri), why),
        next: t('Check the file, then open it again.'),
      },
    };
  }
}

const nameOf = ({ path }: vscode.Uri): string => path.split('/').at(-1) ?? path;

async function readBlob(
  uri: vscode.Uri,
  limit = MAX_BYTES,
): Promise<{ blob: Blob } | { problem: BlobProblem }> {
  const name = nameOf(uri);
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > limit)
    return {
      problem: {
        what: t(
          '{0} has {1} MB; the editor opens at most {2} MB.',
          name,
          Math.ceil(size / MEGABYTE),
          limit / MEGABYTE,
        ),
        next: t('Report it in a terminal: {0}', `provider-playground judge ${name}`),
      },
    };
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const { BLOB_FORMAT, readBlobLines } = await loadEngine();
  const { blob, problem } = await readBlobLines(name, text.split(/\r?\n/));
  if (blob) return { blob };
  const { format } = problem;
  if (format === undefined)
    return {
      problem: {
        what: t('{0} is no blob of an evaluation.', name),
        next: t('Open a file that `provider-playground eval --blob` has written.'),
      },
    };
  return {
    problem: {
      what: t('{0} has the format {1}; this version reads {2}.', name, format, BLOB_FORMAT),
      next: format > BLOB_FORMAT ? t('Update Provider Playground.') : t('Evaluate again.'),
    },
  };
}

/** The other shards of the same evaluation, as far as their blobs are in the same folder. */
async function shardsBeside(uri: vscode.Uri, { head, samples }: Blob): Promise<Blob[]> {
  if (!head.shard) return [];
  const folder = vscode.Uri.joinPath(uri, '..');
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
  const found = new Map([[head.shard.index, { head, samples }]]);
  const others: Blob[] = [];
  let left = MAX_BYTES;
  for (const [shardName] of entries
    .filter(([name]) => name.endsWith(ENDING) && name !== nameOf(uri))
    .slice(0, MAX_SHARDS)) {
    const file = vscode.Uri.joinPath(folder, shardName);
    const read = await readBlob(file, left).catch(() => undefined);
    if (!read || 'problem' in read) continue;
    const { shard, plan } = read.blob.head;
    if (plan !== head.plan || !shard || found.has(shard.index)) continue;
    found.set(shard.index, read.blob);
    others.push(read.blob);
    left -= (await vscode.workspace.fs.stat(file)).size;
  }
  return others;
}

async function pickPlayground({ head, samples }: JoinedBlobs): Promise<string | undefined> {
  const paths = head.files.map(({ path }) => path);
  if (paths.length < 2) return paths[0];
  const items = paths.map((path) => ({
    label: toLabel(path, 200),
    description: t('{0} samples', samples.get(path)?.length ?? 0),
    path,
  }));
  return (await pickOne(items, { title: t('Open Evaluation Blob'), placeHolder: t('Which playground?') }))
    ?.path;
}

async function toOpened(
  uri: vscode.Uri,
  joined: JoinedBlobs,
  path: string,
  { tools, log }: Pick<ViewServices, 'tools' | 'log'>,
): Promise<OpenedBlob> {
  const {
    MemoryRunStore,
    RequestGate,
    Session: Sessions,
    storeBlob,
    toBlobPlayground,
    viewsOf,
  } = await loadEngine();
  const file = await findFile(path);
  const near = { id: file ? fileSessionId(file) : uri.toString() };
  const [toolSource, rowsFile] = [tools.sourceFor(near), rowsFileFor(near)];
  const source = file && {
    text: new TextDecoder().decode(await vscode.workspace.fs.readFile(file)),
    tools: toolSource,
    rowsFile,
    clock: SYSTEM_CLOCK,
  };
  const { text, problem, isChanged } = await toBlobPlayground(joined, path, source);
  const facts = [
    ...(problem === undefined
      ? []
      : [problem, t('What was asked and expected is not known; the replies are.')]),
    ...(isChanged ? [t('{0} has changed since: its expectations of now are used.', path)] : []),
  ];
  const id = `blob:${uri.toString()}`;
  const about = describeBlob(uri, joined, facts);
  const backing: OwnedBacking = { ...toBacking({ id, path, text, about }), dispose: () => undefined };
  const store = new MemoryRunStore({ maxBytes: Number.MAX_SAFE_INTEGER });
  const shown = { id: await storeBlob(store, id, joined, path) };
  const wanted = new WantedPlace();
  wanted.ask(id, { kind: 'evaluation', shown });
  const acquire = async (): Promise<Lease> => {
    const session = await Sessions.open({
      backing,
      store,
      connections: toSource(viewsOf(joined.head, path)),
      gate: new RequestGate(() => 1),
      clock: SYSTEM_CLOCK,
      log,
      tools: toolSource,
      rowsFile,
      requestsLeaveFrom: '',
    });
    return { session, release: () => void session.dispose() };
  };
  return {
    backing,
    pool: { wanted, acquire },
    openText: async (line) => openText(file ?? uri, file ? line : 1),
    saveAs: async () => void (await saveAsFile(toLabel(path, 60), () => Promise.resolve(text))),
  };
}

/** The file of a playground, in a folder of the workspace or below it. */
async function findFile(path: string): Promise<vscode.Uri | undefined> {
  const segments = path.split('/');
  if (path === '' || segments.includes('..') || path.startsWith('/')) return undefined;
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const file = vscode.Uri.joinPath(uri, ...segments);
    const isThere = await Promise.resolve(vscode.workspace.fs.stat(file)).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}

interface BackingParts {
  id: string;
  path: string;
  text: string;
  /** Where it comes from, and what is missing. */
  about: string;
}

const toBacking = ({ id, path, text, about }: BackingParts): DocumentBacking => ({
  id,
  title: toLabel(path, 100),
  kind: 'file',
  read: () => text,
  readOnly: about,
  sendsNothing: t('This evaluation comes from a blob. Open its playground to evaluate again.'),
  apply: () => Promise.resolve(false),
  onDidChange: () => () => undefined,
});

function describeBlob(
  uri: vscode.Uri,
  { head, missing, notes }: JoinedBlobs,
  facts: readonly string[],
): string {
  const { startedAt, version, shard } = head;
  // Beyond this there is no date.
  const at = Math.abs(startedAt) <= 8.64e15 ? new Date(startedAt).toLocaleString() : t('an unknown time');
  return [
    t(
      'An evaluation of {0}, from the blob {1} of Provider Playground {2}. It cannot be changed.',
      at,
      nameOf(uri),
      toLabel(version, 20),
    ),
    ...(shard && shard.total > 1 ? [t('It was split into {0} shards.', shard.total)] : []),
    ...missing,
    ...notes,
    ...facts,
  ]
    .map((sentence) => toLabel(sentence, 400))
    .join(' ');
}

/** Has the connections of the blob, and opens none. */
function toSource(views: Awaited<ReturnType<ConnectionSource['views']>>): ConnectionSource {
  const what = t('This evaluation comes from a blob, and nothing is sent from here.');
  const refuse = (): Promise<never> => Promise.reject(new Error(what));
  return {
    views: () => Promise.resolve(views),
    open: refuse,
    openEmbedder: refuse,
    serverOf: () => Promise.resolve(undefined),
    explain: () =>
      Promise.resolve({
        code: 'from-blob',
        title: t('Not sent'),
        what,
        why: '',
        next: t('Open the playground itself.'),
      }),
    redactor: () => Promise.resolve(undefined),
    onDidChange: () => () => undefined,
  };
}

/** A page for a webview, which runs no scripts by default. */
export const problemPage = ({ what, next }: BlobProblem): string =>
  [what, next]
    .map((text) => toLabel(text, 1_000).replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
    .map((text) => `<p>${text}</p>`)
    .join('');
