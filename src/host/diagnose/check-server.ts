// What answers at the address: the protocol, the server, its models, and the model of the connection. Knows no vscode.
import type { ModelInfo, ServerInfo } from '../../types';
import type { Connection } from '../connections/connection';
import { pickModel } from '../connections-view/local-servers';
import { loadEngine } from '../load-engine';
import type { Diagnosis, DiagnosisLine } from './diagnosis';
import { measure } from './diagnosis';
import { findProtocol } from './other-addresses';
import { count, quote, toSentence } from './words';

/** What the steps of a model are done with. */
export interface ServerCheck {
  /** Why there is no use in asking a model. */
  whyNot?: string | undefined;
  /** Absent: that of the connection, or the provider's own. */
  model?: string | undefined;
  capabilities?: string[] | undefined;
}

const LIMIT_MS = 15_000;
const MOST_NAMED = 8;
/** What Ollama gives a model where nobody says how much. */
const SMALL_CONTEXT = 4096;

/** @param host Absent where the provider's own code decides. */
export async function checkServer(diagnosis: Diagnosis, host: string | undefined): Promise<ServerCheck> {
  const { connection, doing } = diagnosis;
  doing('Asking the server for its models');
  const once = limited(connection);
  const request = { connection: once, model: '-', rescueToolCalls: true };
  try {
    const provider = await diagnosis.makeProvider(request);
    const asked = await measure(diagnosis, () => provider.describeServer({ signal: diagnosis.signal }));
    tellServer(diagnosis, asked.value, asked.tookMs);
    return await checkModelInfo(diagnosis, asked.value);
  } catch (error) {
    diagnosis.signal.throwIfAborted();
    return explainFailure(diagnosis, host, error);
  }
}

/** One attempt, and not for ever. */
function limited(connection: Connection): Connection {
  const retry = { maxAttempts: 1, timeoutMs: LIMIT_MS };
  return { ...connection, setting: { ...connection.setting, retry } };
}

const tell = (diagnosis: Diagnosis, line: Omit<DiagnosisLine, 'section'>): void =>
  diagnosis.tell({ section: 'Server', ...line });

function tellServer(diagnosis: Diagnosis, { product, version, models }: ServerInfo, tookMs: number): void {
  tell(diagnosis, {
    level: 'ok',
    name: 'HTTP',
    text: 'The server answers, and its answer can be read.',
    tookMs,
  });
  const text =
    product === undefined
      ? 'It does not say what it is.'
      : `${quote(product)}${version === undefined ? '' : ` ${quote(version)}`}.`;
  tell(diagnosis, { level: 'ok', name: 'Kind', text });
  const names = models.slice(0, MOST_NAMED).map(({ id }) => quote(id));
  const more = models.length > MOST_NAMED ? ` and ${models.length - MOST_NAMED} more` : '';
  if (models.length === 0) {
    const next =
      product === 'ollama' ? 'Install one, such as with `ollama pull qwen3`.' : 'Load one in the server.';
    tell(diagnosis, { level: 'warning', name: 'Models', text: 'The server has none.', next });
  } else {
    tell(diagnosis, { level: 'ok', name: 'Models', text: `${models.length}: ${names.join(', ')}${more}.` });
  }
}

async function checkModelInfo(diagnosis: Diagnosis, { models, product }: ServerInfo): Promise<ServerCheck> {
  const { connection } = diagnosis;
  const wanted = diagnosis.model ?? connection.setting.model;
  if (wanted === undefined) {
    const model = await pickModel(models);
    if (connection.provided || connection.setting.provider !== 'local-host') return { model };
    const text = `The connection names none. ${model === undefined ? '' : `The next steps take ${quote(model)}.`}`;
    const next = 'Set `model` in the connection, or choose one in each lane.';
    tell(diagnosis, { level: 'warning', name: 'Model', text, next });
    return model === undefined ? { whyNot: 'there is no model' } : describe(diagnosis, models, model);
  }
  // without a tag Ollama takes the latest
  const found = models.find(({ id }) => id === wanted || id === `${wanted}:latest`);
  if (found) return describe(diagnosis, models, found.id, wanted);
  if (models.length > 0) tellMissing(diagnosis, wanted, models, product);
  return { model: wanted };
}

function tellMissing(
  diagnosis: Diagnosis,
  wanted: string,
  models: readonly ModelInfo[],
  product: ServerInfo['product'],
): void {
  const base = wanted.replace(/:.*/, '').toLowerCase();
  const alike = models.find(({ id }) => id.toLowerCase().includes(base));
  const install = product === 'ollama' ? `, or install it with ${quote(`ollama pull ${wanted}`)}` : '';
  const next = alike
    ? `Did you mean ${quote(alike.id)}? Set \`model\` to a model of the list${install}.`
    : `Set \`model\` to a model of the list${install}.`;
  // a hosted API may leave out what it still serves
  const level = product === undefined ? 'warning' : 'failed';
  tell(diagnosis, { level, name: 'Model', text: `${quote(wanted)} is not among them.`, next });
}

/** @param asked As the connection names it. */
async function describe(
  diagnosis: Diagnosis,
  models: readonly ModelInfo[],
  id: string,
  asked = id,
): Promise<ServerCheck> {
  const listed = models.find((model) => model.id === id) ?? { id };
  diagnosis.doing(`Asking what ${id} is`);
  const request = { connection: limited(diagnosis.connection), model: asked, rescueToolCalls: true };
  const provider = await diagnosis.makeProvider(request);
  const { value, tookMs } = await measure(diagnosis, () =>
    provider.describeModel(listed, { signal: diagnosis.signal }).catch(() => listed),
  );
  const { parameterSize, quantization, isRunning } = value;
  const parts = [parameterSize, quantization].flatMap((part) => (part === undefined ? [] : [quote(part)]));
  const state =
    isRunning === undefined ? [] : [isRunning ? 'in memory' : 'not in memory, so its first answer waits'];
  const text = `${[quote(asked), ...parts, ...state].join(', ')}.`;
  tell(diagnosis, { level: 'ok', name: 'Model', text, tookMs });
  tellContext(diagnosis, value);
  tellTools(diagnosis, value);
  return { model: asked, capabilities: value.capabilities };
}

function tellContext(diagnosis: Diagnosis, { contextLength, maxContextLength }: ModelInfo): void {
  const name = 'Context length';
  const own = diagnosis.connection.setting.sampling?.numCtx;
  if (contextLength === undefined && maxContextLength === undefined) {
    return tell(diagnosis, { level: 'ok', name, text: 'The server does not tell.' });
  }
  const most =
    maxContextLength === undefined ? '' : `the model takes ${count(maxContextLength, 'token')} at most`;
  const now = contextLength === undefined ? '' : `it is loaded with ${contextLength}`;
  const text = `${capitalize([most, now].filter(Boolean).join(', '))}.`;
  const isSmall =
    contextLength !== undefined && contextLength <= SMALL_CONTEXT && contextLength < (maxContextLength ?? 0);
  if (own !== undefined || !isSmall) return tell(diagnosis, { level: 'ok', name, text });
  const next =
    'A longer prompt loses its beginning, tools first, without a word. Set `sampling.numCtx` of the connection.';
  tell(diagnosis, { level: 'warning', name, text, next });
}

function tellTools(diagnosis: Diagnosis, { capabilities }: ModelInfo): void {
  const name = 'Tools';
  if (!capabilities) {
    return tell(diagnosis, {
      level: 'ok',
      name,
      text: 'The server does not tell whether the model takes tools.',
    });
  }
  if (capabilities.includes('tools')) {
    return tell(diagnosis, { level: 'ok', name, text: 'The server says that the model takes tools.' });
  }
  const text = `The server names no such capability: ${capabilities.map((word) => quote(word)).join(', ') || 'none at all'}.`;
  const next =
    'Choose a model with tools for native calls; a call that is written as text is read by the rescue.';
  tell(diagnosis, { level: 'warning', name, text, next });
}

async function explainFailure(
  diagnosis: Diagnosis,
  host: string | undefined,
  error: unknown,
): Promise<ServerCheck> {
  const { library } = await loadEngine();
  const { code, what, why, next } = await diagnosis.explain(error, diagnosis.connection);
  const text = toSentence(`${what} ${why}`);
  if (code === 'unsupported') {
    const skipped = 'The provider has no way to ask for its models.';
    tell(diagnosis, { level: 'left out', name: 'Models', text: skipped });
    return { model: diagnosis.model };
  }
  const status = error instanceof library.HttpError ? error.status : undefined;
  if (status === 401 || status === 403) {
    tell(diagnosis, { level: 'failed', name: 'HTTP', text, next: toSentence(next) });
    return { whyNot: 'the server refuses the request' };
  }
  const isAnswer = status !== undefined || code === 'response-format';
  if (isAnswer) diagnosis.doing('Looking whether it speaks another protocol');
  const other = isAnswer && host !== undefined ? await findProtocol(diagnosis, host) : undefined;
  tell(diagnosis, { level: 'failed', name: 'HTTP', text, next: other ?? toSentence(next) });
  // some servers have no list of models, and chat nevertheless
  if (status === 404 && other === undefined) return { model: diagnosis.model };
  return { whyNot: 'the server does not answer as the protocol says' };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
