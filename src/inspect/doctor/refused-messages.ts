// The finding about messages that a template or a service refuses: which rule they break, and which message breaks it. Pure.
import { t } from '@vscode/l10n';
import type { Finding, FoundWords, MessageRule } from '../../types';
import type { ChatWire, Failure } from './diagnosis-input';
import { inRequest, quote } from './diagnosis-input';
import type { FoundMessage } from './message-rules';
import { findMessage, messagesOf } from './message-rules';
import { contextAdvice } from './server-advice';

/** Number of roles that are listed. */
const MAX_ROLES = 30;

/** @param options.needsMessage Whether there is no finding unless a message breaks the rule. */
export function refusedMessages(
  { words, wire, setting }: Failure,
  { needsMessage = false } = {},
): Omit<Finding, 'tab'> | undefined {
  const { rule, parts } = words;
  const broken = wire && rule && findMessage(wire.body, rule, parts);
  if (needsMessage && !broken) return undefined;
  const found = broken ?? readIndex(wire, parts['index']);
  const server = wire?.server ?? words.server;
  // A template sees what the server has not cut away.
  if (rule === 'user-needed' && broken && server === 'ollama') {
    return {
      cause: 'prompt-cut',
      severity: 'error',
      what: t(
        'The server found no user message, although message {0} of the request is one: it cut the beginning of the prompt away, because the context is too small.',
        broken.index + 1,
      ),
      evidence: placeOf(wire, broken),
      next: contextAdvice(setting, server),
    };
  }
  const { wants, next } = rule ? RULES[rule]() : noRule();
  return {
    cause: 'refused-messages',
    severity: 'error',
    what: [wants, found ? describeMessage(found, rule, wire) : describeNamed(parts)]
      .filter(Boolean)
      .join(' '),
    evidence: found ? placeOf(wire, found) : rolesOf(wire),
    next,
  };
}

/** Services that name a message count it from 0. */
function readIndex(wire: ChatWire | undefined, index: string | undefined): FoundMessage | undefined {
  const message = wire && index !== undefined ? messagesOf(wire.body)[Number(index)] : undefined;
  return message && { index: Number(index), role: String(message['role']) };
}

function describeMessage(
  { index, role }: FoundMessage,
  rule: MessageRule | undefined,
  wire: ChatWire | undefined,
): string {
  const before = wire && messagesOf(wire.body)[index - 1];
  return (rule === 'alternate' || rule === 'system-first') && before
    ? t('Message {0} (`{1}`) follows message {2} (`{3}`).', index + 1, role, index, String(before['role']))
    : t('It is about message {0} (`{1}`).', index + 1, role);
}

/** Where no message of the request is the one: a gateway may have changed them. */
const describeNamed = ({ role, after }: FoundWords['parts']): string =>
  role !== undefined && after !== undefined
    ? t('The server names a `{0}` message after a `{1}` message.', role, after)
    : '';

const placeOf = (wire: ChatWire | undefined, { index }: FoundMessage): NonNullable<Finding['evidence']> => {
  const message = wire && messagesOf(wire.body)[index];
  return message ? [quote(inRequest(`/messages/${index}`), message)] : [];
};

const rolesOf = (wire: ChatWire | undefined): NonNullable<Finding['evidence']> => {
  const roles = (wire ? messagesOf(wire.body) : []).map(({ role }) => String(role));
  return roles.length === 0 ? [] : [quote(inRequest('/messages'), roles.slice(0, MAX_ROLES).join(', '))];
};

interface Told {
  /** What the template or the service wants. */
  wants: string;
  next: string;
}

/** Functions, because the language is known only when they are called. */
const RULES: Readonly<Record<MessageRule, () => Told>> = {
  alternate: () => ({
    wants: t(
      'The roles of the messages must alternate for this model: after the system prompt, user and assistant in turn, and results only after calls.',
    ),
    next: t('Join messages of the same role that follow each other, or put a reply between them.'),
  }),
  'system-first': () => ({
    wants: t('A system message may only be the first message for this model.'),
    next: t('Move its text into the system prompt, or make it a user message.'),
  }),
  'user-needed': () => ({
    wants: t('The chat template of this model needs a user message, and the server found none.'),
    next: t(
      'Begin the conversation with a user message. If there is one, the server may have cut it away because the context is too small.',
    ),
  }),
  'user-last': () => ({
    wants: t(
      'The last message must be of the user or the result of a tool: this model does not continue a message of the assistant.',
    ),
    next: t('Remove the assistant messages at the end, or add a user message.'),
  }),
  'results-answer-calls': () => ({
    wants: t('Each tool result must answer a call of the assistant message before it.'),
    next: t('Remove the result, or put the assistant message with its call before it.'),
  }),
  'calls-need-results': () => ({
    wants: t(
      'Each call must be followed by its result: the number of tool messages after an assistant message must be that of its calls.',
    ),
    next: t('Answer every call, or remove the calls that have no result.'),
  }),
  'result-id': () => ({
    wants: t('Each tool result must name its call by `tool_call_id`, in a form that this model accepts.'),
    next: t('Give the call and its result the same id; some models accept only nine letters and digits.'),
  }),
  'reasoning-back': () => ({
    wants: t(
      'The reasoning of an assistant message with calls must be sent back with it, under the field in which it came.',
    ),
    next: t(
      'Let the connection send the reasoning back, run the conversation again from before that message, or ask without reasoning.',
    ),
  }),
  'content-needed': () => ({
    wants: t('Each message must have content, or calls if it is of the assistant.'),
    next: t('Remove the empty message, or write something into it.'),
  }),
  'known-role': () => ({
    wants: t('The chat template or the service does not know the role of a message.'),
    next: t('Use another role; a system prompt can be put at the beginning of the first user message.'),
  }),
  'call-arguments': () => ({
    wants: t('The arguments of a call in the history are not a JSON object, and the server refuses that.'),
    next: t('Correct the arguments of the call in the history.'),
  }),
};

const noRule = (): Told => ({
  wants: t('The chat template of the model refused the messages or the tools of the request.'),
  next: t(
    'Compare the roles and the order of the messages with what the template expects, or use another chat template.',
  ),
});
