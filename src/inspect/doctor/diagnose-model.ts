// What the server tells of a model, beside what a run of it came to: whether it takes tools, and how much it reads. Pure.
import type { ExchangeRequest, Finding, ModelInfo, TokenUsage } from '../../types';
import type { RunSetting } from './diagnosis-input';
import { quote, readChatWire } from './diagnosis-input';
import { estimatePrompt } from './of-prompt';
import { raiseContext } from './remedies';

/** A prompt this near to the context leaves no room for a reply. */
const FULL = 0.97;
/** A server names its models as it likes. */
const MOST_NAME = 200;

export interface ModelDiagnosisInput {
  /** What the server told of it; undefined when it told nothing. */
  model: ModelInfo | undefined;
  /** The last request of the run; undefined when nothing was sent, or it is not kept. */
  request: ExchangeRequest | undefined;
  /** Of its reply; nothing when none came. */
  usage: TokenUsage;
  hasTools: boolean;
  setting: RunSetting;
}

/** Never empty: what the server does not tell is said, too. */
export function diagnoseModel(input: ModelDiagnosisInput): Finding[] {
  const found = [...ofCapabilities(input), ...ofContext(input)];
  if (found.length > 0) return found;
  return [
    {
      cause: 'model-untold',
      severity: 'info',
      what: 'The server does not tell what the model can do.',
      next: 'Look at the card of the model: whether it was trained for tools stands there.',
    },
  ];
}

function ofCapabilities({ model, hasTools }: ModelDiagnosisInput): Finding[] {
  const { capabilities, id: name = '' } = model ?? {};
  if (!capabilities) return [];
  const id = name.slice(0, MOST_NAME);
  const evidence = [quote('server, capabilities', capabilities.join(', ') || '(none)')];
  if (capabilities.includes('tools')) {
    return [
      {
        cause: 'model-with-tools',
        severity: 'info',
        what: `The server says that \`${id}\` takes tools: its template has a place for them.`,
        evidence,
      },
    ];
  }
  const what = `The server says that \`${id}\` takes no tools: its template has no place for them${hasTools ? ', so the model never saw those that were offered' : ''}.`;
  return [
    {
      cause: 'model-without-tools',
      severity: hasTools ? 'error' : 'info',
      what,
      evidence,
      next: 'Choose a model whose capabilities name `tools`, give the server a template that has a place for them, or describe the tools in the system prompt.',
    },
  ];
}

function ofContext({ model, request, usage, setting }: ModelDiagnosisInput): Finding[] {
  const { contextLength: size, maxContextLength: most } = model ?? {};
  const wire = request && readChatWire({ request });
  if (size === undefined || !wire) return [];
  const about = estimatePrompt(wire);
  const { promptTokens } = usage;
  const isFull = promptTokens !== undefined && promptTokens >= size * FULL;
  const evidence = [
    quote('server, context', size),
    ...(promptTokens === undefined ? [] : [quote('answer, tokens of the prompt', promptTokens)]),
  ];
  if (!isFull && about <= size) {
    return [
      {
        cause: 'context-fits',
        severity: 'info',
        what: `The model is loaded with a context of ${size} tokens; the prompt has ${promptTokens ?? `about ${about}`}.`,
        evidence,
      },
    ];
  }
  return [
    {
      cause: isFull ? 'context-full' : 'context-too-small',
      severity: 'warning',
      what: `The model is loaded with a context of ${size} tokens, and the prompt has about ${Math.max(about, promptTokens ?? 0)}: its front may be cut, and the system prompt and the tools stand there.`,
      evidence,
      next: 'Raise Context size, or send less.',
      remedies: raiseContext(setting, Math.max(about, promptTokens ?? 0), { now: size, most }),
    },
  ];
}
