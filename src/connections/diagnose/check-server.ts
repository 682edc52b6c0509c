// Checks what answers at the address: the protocol, the server, its models, and the model of the connection.
import { t } from '@vscode/l10n';
import { countOf } from '../../inspect';
import type { ModelInfo, ServerInfo } from '../../types';
import { HttpError, PROVIDER_CATALOG } from '../../library';
import type { Connection } from '../connection';
import { isRefusal } from '../is-key-refused';
import { pickModel } from '../local-servers';
import type { Diagnosis, DiagnosisLine } from './diagnosis';
import { measure } from './diagnosis';
import { findOtherProtocol } from './other-addresses';
import { quote, toSentence } from './words';

/** Result of the server check, which the model checks build on. */
export interface ServerCheck {
  /** Why requests to a model would be pointless. */
  whyNot?: string | undefined;
  /** If absent, the model of the connection or the provider's default is used. */
  model?: string | undefined;
  capabilities?: string[] | undefined;
}

const LIMIT_MS = 15_000;
const MAX_NAMED = 8;
/** Context length that Ollama gives a model by default, in tokens. */
const SMALL_CONTEXT = 4096;

/** @param host Absent where third-party code decides where requests go. */
export async function checkServer(diagnosis: Diagnosis, host: string | undefined): Promise<ServerCheck> {
  const { connection, doing } = diagnosis;
  doing(t('Asking the server for its models'));
  const once = limited(connection);
  const request = { connection: once, model: '-', rescueToolCalls: true };
  try {
    const { provider } = await diagnosis.connections.makeProvider(request);
    const asked = await measure(diagnosis, () => provider.describeServer({ signal: diagnosis.signal }));
    addServerLine(diagnosis, asked.value, asked.tookMs);
    return await checkModelInfo(diagnosis, asked.value);
  } catch (error) {
    diagnosis.signal.throwIfAborted();
    return explainFailure(diagnosis, host, error);
  }
}

/** A single attempt with a short timeout. */
function limited(connection: Connection): Connection {
  const retry = { maxAttempts: 1, timeoutMs: LIMIT_MS };
  return { ...connection, setting: { ...connection.setting, retry } };
}

const addLine = (diagnosis: Diagnosis, line: Omit<DiagnosisLine, 'section'>): void =>
  diagnosis.addLine({ section: 'Server', ...line });

function addServerLine(diagnosis: Diagnosis, { product, version, models }: ServerInfo, tookMs: number): void {
  addLine(diagnosis, {
    level: 'ok',
    name: 'HTTP',
    text: t('The server answers, and its answer can be read.'),
    tookMs,
  });
  const text =
    product === undefined
      ? t('The server does not name its kind or version.')
      : `${quote(product)}${version === undefined ? '' : ` ${quote(version)}`}.`;
  addLine(diagnosis, { level: 'ok', name: t('Kind'), text });
  const names = models.slice(0, MAX_NAMED).map(({ id }) => quote(id));
  const named = names.join(', ');
  const more = models.length - MAX_NAMED;
  if (models.length === 0) {
    const next =
      product === 'ollama'
        ? t('Install one, for example with `ollama pull qwen3`.')
        : t('Load a model in the server.');
    addLine(diagnosis, { level: 'warning', name: t('Models'), text: t('The server has no models.'), next });
  } else {
    addLine(diagnosis, {
      level: 'ok',
      name: t('Models'),
      text: `${models.length}: ${more > 0 ? t('{0} and {1} more', named, more) : named}.`,
    });
  }
}

async function checkModelInfo(diagnosis: Diagnosis, { models, product }: ServerInfo): Promise<ServerCheck> {
  const { connection } = diagnosis;
  const wanted = diagnosis.model ?? connection.setting.model;
  if (wanted === undefined) {
    const model = pickModel(models);
    const entry = PROVIDER_CATALOG.find(({ id }) => id === connection.setting.provider);
    // Without a model of its own, such a connection uses the default of its protocol.
    if (connection.provided || entry?.defaults.model !== undefined) return { model };
    const none = t('The connection names no model.');
    const text = model === undefined ? none : `${none} ${t('The next steps use {0}.', quote(model))}`;
    const next = t('Set `model` in the connection, or choose one in each lane.');
    addLine(diagnosis, { level: 'warning', name: t('Model'), text, next });
    return model === undefined ? { whyNot: t('there is no model') } : describe(diagnosis, models, model);
  }
  // Without a tag Ollama uses `latest`.
  const found = models.find(({ id }) => id === wanted || id === `${wanted}:latest`);
  if (found) return describe(diagnosis, models, found.id, wanted);
  if (models.length > 0) addMissingModelLine(diagnosis, wanted, models, product);
  return { model: wanted };
}

function addMissingModelLine(
  diagnosis: Diagnosis,
  wanted: string,
  models: readonly ModelInfo[],
  product: ServerInfo['product'],
): void {
  const base = wanted.replace(/:.*/, '').toLowerCase();
  const alike = models.find(({ id }) => id.toLowerCase().includes(base));
  const pull = product === 'ollama' ? quote(`ollama pull ${wanted}`) : undefined;
  const choose =
    pull === undefined
      ? t('Set `model` to a model of the list.')
      : t('Set `model` to a model of the list, or install it with {0}.', pull);
  const next = alike ? `${t('Did you mean {0}?', quote(alike.id))} ${choose}` : choose;
  // A hosted API may serve models that it does not list.
  const level = product === undefined ? 'warning' : 'failed';
  addLine(diagnosis, { level, name: t('Model'), text: t('{0} is not in the list.', quote(wanted)), next });
}

/** @param asked Name of the model as the connection spells it. */
async function describe(
  diagnosis: Diagnosis,
  models: readonly ModelInfo[],
  id: string,
  asked = id,
): Promise<ServerCheck> {
  const listed = models.find((model) => model.id === id) ?? { id };
  diagnosis.doing(t('Asking what {0} is', id));
  const request = { connection: limited(diagnosis.connection), model: asked, rescueToolCalls: true };
  const { provider } = await diagnosis.connections.makeProvider(request);
  const { value, tookMs } = await measure(diagnosis, () =>
    provider.describeModel(listed, { signal: diagnosis.signal }).catch(() => listed),
  );
  const { parameterSize, quantization, isRunning } = value;
  const parts = [parameterSize, quantization].flatMap((part) => (part === undefined ? [] : [quote(part)]));
  const state =
    isRunning === undefined
      ? []
      : [isRunning ? t('in memory') : t('not in memory, so the first answer takes longer')];
  const text = `${[quote(asked), ...parts, ...state].join(', ')}.`;
  addLine(diagnosis, { level: 'ok', name: t('Model'), text, tookMs });
  addContextLine(diagnosis, value);
  addToolsLine(diagnosis, value);
  return { model: asked, capabilities: value.capabilities };
}

function addContextLine(diagnosis: Diagnosis, { contextLength, maxContextLength }: ModelInfo): void {
  const name = t('Context length');
  const own = diagnosis.connection.setting.sampling?.numCtx;
  if (contextLength === undefined && maxContextLength === undefined) {
    return addLine(diagnosis, { level: 'ok', name, text: t('The server does not report it.') });
  }
  const most =
    maxContextLength === undefined
      ? ''
      : countOf(
          maxContextLength,
          t('the model accepts at most {0} token'),
          t('the model accepts at most {0} tokens'),
        );
  const now = contextLength === undefined ? '' : t('it is loaded with {0}', contextLength);
  const text = `${capitalize([most, now].filter(Boolean).join(', '))}.`;
  const isSmall =
    contextLength !== undefined && contextLength <= SMALL_CONTEXT && contextLength < (maxContextLength ?? 0);
  if (own !== undefined || !isSmall) return addLine(diagnosis, { level: 'ok', name, text });
  const next = t(
    'A longer prompt loses its beginning, tools first, and the server does not report it. Set `sampling.numCtx` of the connection.',
  );
  addLine(diagnosis, { level: 'warning', name, text, next });
}

function addToolsLine(diagnosis: Diagnosis, { capabilities }: ModelInfo): void {
  const name = t('Tools');
  if (!capabilities) {
    return addLine(diagnosis, {
      level: 'ok',
      name,
      text: t('The server does not report whether the model supports tools.'),
    });
  }
  if (capabilities.includes('tools')) {
    return addLine(diagnosis, {
      level: 'ok',
      name,
      text: t('The server says that the model supports tools.'),
    });
  }
  const named = capabilities.map((word) => quote(word)).join(', ') || t('none at all');
  const text = t('The server does not list this capability. It lists {0}.', named);
  const next = t('Choose a model with tools for native calls; rescue reads a call that is written as text.');
  addLine(diagnosis, { level: 'warning', name, text, next });
}

async function explainFailure(
  diagnosis: Diagnosis,
  host: string | undefined,
  error: unknown,
): Promise<ServerCheck> {
  const { code, what, why, next } = await diagnosis.connections.explain(error, diagnosis.connection);
  const text = toSentence(`${what} ${why}`);
  if (code === 'unsupported') {
    const skipped = t('The provider cannot list its models.');
    addLine(diagnosis, { level: 'left out', name: t('Models'), text: skipped });
    return { model: diagnosis.model };
  }
  const status = error instanceof HttpError ? error.status : undefined;
  if (isRefusal(status)) {
    addLine(diagnosis, { level: 'failed', name: 'HTTP', text, next: toSentence(next) });
    return { whyNot: t('the server refuses the request') };
  }
  const isAnswer = status !== undefined || code === 'response-format';
  if (isAnswer) diagnosis.doing(t('Checking whether it speaks another protocol'));
  const other = isAnswer && host !== undefined ? await findOtherProtocol(diagnosis, host) : undefined;
  addLine(diagnosis, { level: 'failed', name: 'HTTP', text, next: other ?? toSentence(next) });
  // Some servers can chat although they list no models.
  if (status === 404 && other === undefined) return { model: diagnosis.model };
  return { whyNot: t('the answer of the server does not follow the protocol') };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
