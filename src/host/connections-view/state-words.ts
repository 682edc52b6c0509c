// Short descriptions of connections, their states and their models for the tree.
import { t } from '@vscode/l10n';
import type { ModelInfo, ServerInfo, ServerProduct } from '../../types';
import type { Connection } from '../../connections';
import type { ChatOffer } from '../language-model/chat-offer';
import type { ConnectionState } from './connection-monitor';

const PRODUCT_NAMES: Readonly<Record<ServerProduct, string>> = {
  ollama: 'Ollama',
  'llama-server': 'llama-server',
  vllm: 'vLLM',
  'lm-studio': 'LM Studio',
};

export function describeState(state: ConnectionState, isChecking: boolean): string {
  switch (state.kind) {
    case 'unknown':
      if (isChecking) return t('asking the server');
      return state.error ? t('cannot list its models') : t('not asked yet');
    case 'reachable':
      return [t('reachable'), nameServer(state.server), countModels(state.server.models.length)]
        .filter(Boolean)
        .join(' · ');
    case 'no-key':
      return t('needs a key');
    case 'setting':
      return t('wrong setting');
    case 'refused':
      if (/^(network|timeout)$/.test(state.error.code)) return t('no answer');
      return state.error.isKeyWanted ? t('key refused') : t('refused');
  }
}

/** Such as `Ollama 0.32.1`. */
function nameServer({ product, version }: ServerInfo): string {
  if (!product) return '';
  return version === undefined ? PRODUCT_NAMES[product] : `${PRODUCT_NAMES[product]} ${version}`;
}

export function countModels(count: number): string {
  return count === 1 ? t('1 model') : t('{0} models', count);
}

export function describeScope({ scope }: Connection): string {
  const words: Record<Connection['scope'], string> = {
    'built-in': t('built in'),
    user: t('user settings'),
    workspace: t('workspace settings'),
    folder: t('folder settings'),
    module: t('module'),
    extension: t('another extension'),
  };
  return words[scope];
}

/**
 * Short, as a narrow view shows it, and whole, as it is read aloud.
 * @returns undefined for a connection whose switch is off: most are
 */
export function describeOffer(offer: ChatOffer): { short: string; whole: string } | undefined {
  if (offer.kind === 'off') return undefined;
  return offer.kind === 'blocked'
    ? { short: t('not in chat: {0}', offer.short), whole: t('not in VS Code chat: {0}', offer.short) }
    : { short: t('in chat'), whole: t('in VS Code chat') };
}

export function explainOffer(offer: ChatOffer): string[] {
  if (offer.kind === 'off') return [];
  if (offer.kind === 'blocked') return [`${t('Its models are not in the chat of VS Code.')} ${offer.reason}`];
  return [
    t(
      'Its models are offered to the chat of VS Code. Titles, summaries and other helper requests of the chat may still go to models of its own.',
    ),
  ];
}

/** Such as `8.2B · Q4_K_M · 5.2 GB · 4096 of 40960 tokens · tools, vision`; unknown parts are left out. */
export function describeModel(model: ModelInfo): string {
  const { parameterSize, quantization, sizeBytes, isRunning } = model;
  return [
    isRunning ? t('running') : undefined,
    parameterSize,
    quantization,
    sizeBytes === undefined ? undefined : toSize(sizeBytes),
    describeContext(model),
    describeCapabilities(model),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function describeContext({ contextLength, maxContextLength }: ModelInfo): string | undefined {
  if (contextLength !== undefined && maxContextLength !== undefined && contextLength !== maxContextLength) {
    return t('{0} of {1} tokens', contextLength, maxContextLength);
  }
  const length = contextLength ?? maxContextLength;
  return length === undefined ? undefined : t('{0} tokens', length);
}

/** Leaves out `completion`, which every model has. */
function describeCapabilities({ capabilities = [] }: ModelInfo): string | undefined {
  const shown = capabilities.filter((capability) => capability !== 'completion').toSorted();
  return shown.length > 0 ? shown.join(', ') : undefined;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** In powers of 1000, as `ollama list` and file managers write sizes. */
function toSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const size = bytes / 1000 ** power;
  return `${Number(size.toFixed(size < 10 ? 1 : 0))} ${UNITS[power]}`;
}
