// Findings about a run without a reply, from what is known of the server's words and from the request. Pure.
import { t } from '@vscode/l10n';
import type { Exchange, Finding, FoundWords, Remedy, SamplingParams, WordsCause } from '../../types';
import type { ProtocolEntry } from '../find-protocol';
import type { Failure, RunSetting } from './diagnosis-input';
import { quote, readChatWire } from './diagnosis-input';
import { overflowFinding } from './overflow-finding';
import { refusedMessages } from './refused-messages';
import { refusedTool } from './refused-tool';
import { findRaw, lowerTemperature, raiseLimit, setLimit } from './remedies';

/** What is known about a call without a reply. */
export interface FailureInput {
  /** What the table of server words knows about the server's message; without it there is nothing to find. */
  words: FoundWords | undefined;
  /** The last request, and as much of its response as came; undefined when nothing was sent. */
  exchange: Pick<Exchange, 'request' | 'response'> | undefined;
  catalog: readonly ProtocolEntry[];
  setting: RunSetting;
}

const FINDINGS: Readonly<Record<WordsCause, (failure: Failure) => Omit<Finding, 'tab'> | undefined>> = {
  'unread-call': (failure) => historyCall(failure) ?? unreadCall(failure),
  'cut-call': ({ words, setting }) => ({
    cause: 'invalid-json',
    severity: 'error',
    what: t(
      'The call of `{0}` was cut in the middle of its arguments, and the server answered with an error.',
      words.parts['tool'] ?? '',
    ),
    next: t('Raise Max tokens, or leave it out.'),
    remedies: raiseLimit(setting, setting.sampling.maxTokens ?? 0),
  }),
  'unknown-tool': ({ words }) => ({
    cause: 'unknown-tool',
    severity: 'error',
    what:
      words.parts['tool'] === undefined
        ? t(
            'The model began a call that fits none of the offered tools, and the server ended the reply there.',
          )
        : t(
            'The model called `{0}`, which was not offered, and the server refused that.',
            words.parts['tool'],
          ),
    next: t('Offer the tool that the model began to call, or name the offered tools in the system prompt.'),
  }),
  'context-overflow': overflowFinding,
  'output-limit': ({ words, setting }) => {
    const { room } = words.parts;
    const most = Number(room?.replaceAll(',', ''));
    return {
      cause: 'token-limit',
      severity: 'error',
      what:
        room === undefined
          ? t('The request allows a longer reply than the model can write.')
          : t('The request allows a longer reply than the model can write, which is {0} tokens.', room),
      next: t('Lower Max tokens, or leave it out.'),
      remedies: most > 0 ? [setLimit(setting, most)] : [],
    };
  },
  // The error itself says what to do.
  'prompt-filter': () => undefined,
  'rate-limit': () => undefined,
  quota: () => undefined,
  'refused-messages': refusedMessages,
  'model-without-tools': ({ words }) => ({
    cause: 'model-without-tools',
    severity: 'error',
    what:
      words.server === 'service'
        ? t('No provider of this model supports tools, so the service refused the request.')
        : t(
            'This model does not support tools: its template has no place for them, so the server refused the request.',
          ),
    next:
      words.server === 'service'
        ? t('Choose a model that supports tools, or describe the tools in the system prompt and offer none.')
        : t(
            'Choose a model whose capabilities include `tools` (the list of models shows them), or describe the tools in the system prompt and offer none.',
          ),
  }),
  'server-without-tools': ({ words }) =>
    words.server === 'vllm'
      ? {
          cause: 'server-without-tools',
          severity: 'error',
          what: t('This vLLM was started without support for tools.'),
          next: t(
            'Start it with `--enable-auto-tool-choice` and the `--tool-call-parser` that fits the model.',
          ),
        }
      : {
          cause: 'server-without-tools',
          severity: 'error',
          what: t(
            'This llama-server was started without support for tools: it does not use the chat template of the model.',
          ),
          next: t('Start it with `--jinja`.'),
        },
  'no-such-model': ({ words, wire }) => {
    const { model } = words.parts;
    if (model === undefined) return undefined;
    return {
      cause: 'no-such-model',
      severity: 'error',
      what: t('The server has no model named `{0}`.', model),
      next:
        wire?.server === 'ollama'
          ? t('Choose another model, or get it: `ollama pull {0}`.', model)
          : t('Choose another model.'),
    };
  },
  'refused-schema': ({ words, wire }) => wire && refusedTool(words.parts['about'] ?? words.quote, wire.body),
  'refused-parameter': refusedParameter,
  'thinking-or-choice': ({ setting }) => ({
    cause: 'thinking-or-choice',
    severity: 'error',
    what: t('This model cannot be made to call a tool while it thinks, so the service refused the request.'),
    next: t('Set the tool choice to auto, or turn the thinking off in raw.'),
    remedies: Object.hasOwn(setting.raw, 'tool_choice')
      ? [{ kind: 'raw', path: ['tool_choice'] }]
      : [{ kind: 'tool-choice', choice: 'auto' }],
  }),
  'no-stored-response': ({ setting }) => ({
    cause: 'no-stored-response',
    severity: 'error',
    what: t('The server does not have the response that `previous_response_id` names.'),
    next: t(
      'Remove `previous_response_id` from raw: the whole conversation is sent each time. Many servers store no responses, and a response of a request with `store` false is not stored.',
    ),
    remedies: Object.hasOwn(setting.raw, 'previous_response_id')
      ? [{ kind: 'raw', path: ['previous_response_id'] }]
      : [],
  }),
  // Of embeddings, which have no findings: the error itself says what to do.
  'no-number': () => undefined,
  'long-text': () => undefined,
  'many-texts': () => undefined,
  'no-pooling': () => undefined,
  'no-embeddings': () => undefined,
  'refused-request': () => undefined,
};

/** @returns at most one finding; none when nothing is known of what the server said */
export function diagnoseFailure({ words, exchange, catalog, setting }: FailureInput): Finding[] {
  if (!words) return exchange ? streamWithoutEnd(catalog, exchange) : [];
  const finding = FINDINGS[words.cause]({
    words,
    setting,
    wire: exchange && readChatWire(catalog, exchange),
  });
  if (!finding) return [];
  const { remedies = [], evidence = [], ...rest } = finding;
  return [
    {
      ...rest,
      tab: 'wire',
      evidence: [quote(t('answer'), words.quote), ...evidence],
      ...(remedies.length > 0 && { remedies }),
    },
  ];
}

/** Whether the server closed such a stream or the connection broke off is not known here. */
function streamWithoutEnd(
  catalog: readonly ProtocolEntry[],
  exchange: NonNullable<FailureInput['exchange']>,
): Finding[] {
  const { response } = exchange;
  const last = LAST_EVENTS[readChatWire(catalog, exchange)?.protocol.client ?? ''];
  if (last === undefined || response?.status !== 200) return [];
  const names = [...response.body.matchAll(/^event: ?(\S{1,100})/gm)].map(([, name = '']) => name);
  const end = names.at(-1);
  if (end === undefined || names.some((name) => last.includes(name))) return [];
  return [
    {
      cause: 'no-stream-end',
      severity: 'error',
      what: t(
        'The stream ended without `{0}` and without an error: the connection broke off, or the server dropped an error, as Ollama does with one in the middle of a stream.',
        last[0] ?? '',
      ),
      evidence: [quote(t('answer, the last event'), end)],
      next: t('Look at the log of the server. Without a stream it may answer with the error.'),
      tab: 'wire',
    },
  ];
}

/** The events that end a stream, the usual one first. By the client that speaks the protocol. */
const LAST_EVENTS: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['message_stop', 'error'],
  'openai-responses': ['response.completed', 'response.incomplete', 'response.failed', 'error'],
};

/** The parameter is known by its key in the request, which may be nested in the words: `reasoning.effort`. */
function refusedParameter({ words, setting }: Failure): Omit<Finding, 'tab'> {
  const name = words.parts['parameter'] ?? '';
  const path = findRaw(setting.raw, name.split('.')[0] ?? name);
  const [key] = Object.entries(setting.keys).find(([, wire]) => wire === name) ?? [];
  const remedies: Remedy[] =
    path !== undefined
      ? [{ kind: 'raw', path }]
      : key !== undefined && isSamplingKey(setting.sampling, key)
        ? [{ kind: 'leave-out', key }]
        : [];
  return {
    cause: 'refused-parameter',
    severity: 'error',
    what: t('The model does not take `{0}` as it was sent, so the service refused the request.', name),
    next: t('Leave it out: in the lane, in raw, or in the settings of the connection.'),
    remedies,
  };
}

const isSamplingKey = (sampling: SamplingParams, key: string): key is keyof SamplingParams =>
  Object.hasOwn(sampling, key);

/** The server's words may be about a call of the history. */
function historyCall(failure: Failure): Omit<Finding, 'tab'> | undefined {
  return failure.words.rule === undefined ? undefined : refusedMessages(failure, { needsMessage: true });
}

const unreadCall = ({ setting }: Failure): Omit<Finding, 'tab'> => ({
  cause: 'unread-call',
  severity: 'error',
  what: t('The server could not read the call that the model wrote, and answered with an error.'),
  next: t(
    'The call is malformed, or the parser of the server does not fit the model: try a lower temperature, another template or tool parser on the server, or another model.',
  ),
  remedies: lowerTemperature(setting),
});
