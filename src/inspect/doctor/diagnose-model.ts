// Findings from what the server reports about a model, compared with a run: tool support and context size. Pure.
import { t } from '@vscode/l10n';
import type { ExchangeRequest, Finding, ModelInfo, TokenUsage } from '../../types';
import type { RunSetting } from './diagnosis-input';
import type { ProtocolEntry } from '../find-protocol';
import { quote, readChatWire } from './diagnosis-input';
import { estimatePrompt } from './prompt-findings';
import { raiseContext } from './remedies';
import { contextAdvice } from './server-advice';

/** Share of the context above which a prompt counts as filling it, because too little space is left for a reply. */
const FULL = 0.97;
/** Limit of a model name in UTF-16 code units, because servers may use names of any length. */
const MAX_NAME = 200;

/** What a server reports about a model, and the run that it is compared with. */
export interface ModelDiagnosisInput {
  catalog: readonly ProtocolEntry[];
  /** What the server reported about the model; undefined when it reported nothing. */
  model: ModelInfo | undefined;
  /** The last request of the run; undefined when nothing was sent or the request is no longer stored. */
  request: ExchangeRequest | undefined;
  /** Usage of the reply; empty when there was no reply. */
  usage: TokenUsage;
  hasTools: boolean;
  setting: RunSetting;
}

/** Never empty: if the server reports nothing, the finding says so. */
export function diagnoseModel(input: ModelDiagnosisInput): Finding[] {
  const found = [...capabilityFindings(input), ...contextFindings(input)];
  if (found.length > 0) return found;
  return [
    {
      cause: 'model-untold',
      severity: 'info',
      what: t('The server does not report what the model can do.'),
      next: t('Look at the model card: it says whether the model was trained for tools.'),
    },
  ];
}

function capabilityFindings({ model, hasTools }: ModelDiagnosisInput): Finding[] {
  const { capabilities, id: name = '' } = model ?? {};
  if (!capabilities) return [];
  const id = name.slice(0, MAX_NAME);
  const evidence = [quote(t('server, capabilities'), capabilities.join(', ') || t('(none)'))];
  if (capabilities.includes('tools')) {
    return [
      {
        cause: 'model-with-tools',
        severity: 'info',
        what: t('The server says that `{0}` supports tools: its template has a place for them.', id),
        evidence,
      },
    ];
  }
  const what = hasTools
    ? t(
        'The server says that `{0}` does not support tools: its template has no place for them, so the model never saw the offered tools.',
        id,
      )
    : t('The server says that `{0}` does not support tools: its template has no place for them.', id);
  return [
    {
      cause: 'model-without-tools',
      severity: hasTools ? 'error' : 'info',
      what,
      evidence,
      next: t(
        'Choose a model whose capabilities include `tools`, give the server a template that supports tools, or describe the tools in the system prompt.',
      ),
    },
  ];
}

function contextFindings({ catalog, model, request, usage, setting }: ModelDiagnosisInput): Finding[] {
  const { contextLength: size, maxContextLength: most } = model ?? {};
  const wire = request && readChatWire(catalog, { request });
  if (size === undefined || !wire) return [];
  const about = estimatePrompt(wire);
  const { promptTokens } = usage;
  const isFull = promptTokens !== undefined && promptTokens >= size * FULL;
  const evidence = [
    quote(t('server, context'), size),
    ...(promptTokens === undefined ? [] : [quote(t('answer, tokens of the prompt'), promptTokens)]),
  ];
  if (!isFull && about <= size) {
    return [
      {
        cause: 'context-fits',
        severity: 'info',
        what:
          promptTokens === undefined
            ? t('The model is loaded with a context of {0} tokens; the prompt has about {1}.', size, about)
            : t('The model is loaded with a context of {0} tokens; the prompt has {1}.', size, promptTokens),
        evidence,
      },
    ];
  }
  return [
    {
      cause: isFull ? 'context-full' : 'context-too-small',
      severity: 'warning',
      what: t(
        'The model is loaded with a context of {0} tokens, and the prompt has about {1}: its beginning may be cut off, where the system prompt and the tools are.',
        size,
        Math.max(about, promptTokens ?? 0),
      ),
      evidence,
      next: contextAdvice(setting),
      remedies: raiseContext(setting, Math.max(about, promptTokens ?? 0), { now: size, most }),
    },
  ];
}
