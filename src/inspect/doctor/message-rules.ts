// Finds the message of a request that breaks a rule of a template or a service. Pure.
import type { MessageRule } from '../../types';
import { isRecord } from '../../library';
import { parseRecord } from '../json-record';

type Sent = Readonly<Record<string, unknown>>;

/** A message by its index in the request, and what it stands after or lacks, as far as that is known. */
export interface FoundMessage {
  index: number;
  role: string;
}

const roleOf = (message: Sent | undefined): string =>
  typeof message?.['role'] === 'string' ? message['role'] : '';
const callsOf = (message: Sent | undefined): Sent[] =>
  Array.isArray(message?.['tool_calls']) ? message['tool_calls'].filter(isRecord) : [];
const isSystem = (role: string): boolean => role === 'system' || role === 'developer';
const isEmpty = (content: unknown): boolean =>
  content === undefined ||
  content === null ||
  content === '' ||
  (Array.isArray(content) && content.length === 0);

interface Place {
  message: Sent;
  before: Sent | undefined;
  index: number;
  all: readonly Sent[];
}

/** What the words of the server name. */
export interface NamedParts {
  role?: string;
  after?: string;
}

/** For each rule: whether the message breaks it. */
const BREAKS: Readonly<Record<MessageRule, (place: Place, named: NamedParts) => boolean>> = {
  alternate: ({ message, before }, { role, after }) =>
    role !== undefined && after !== undefined
      ? roleOf(message) === role && roleOf(before) === after
      : /^(?:user|assistant)$/.test(roleOf(message)) && roleOf(message) === roleOf(before),
  'system-first': ({ message, index }) => index > 0 && isSystem(roleOf(message)),
  'user-needed': ({ message }) => roleOf(message) === 'user',
  'user-last': ({ message, index, all }) => index === all.length - 1 && roleOf(message) === 'assistant',
  'results-answer-calls': ({ message, index, all }) =>
    roleOf(message) === 'tool' && !idsAsked(all, index).includes(message['tool_call_id']),
  'calls-need-results': ({ message, index, all }) => {
    const calls = callsOf(message);
    return calls.length > 0 && calls.length !== resultsAfter(all, index);
  },
  'result-id': ({ message }) => roleOf(message) === 'tool' && isEmpty(message['tool_call_id']),
  'reasoning-back': ({ message }) =>
    callsOf(message).length > 0 && !REASONING.some((key) => !isEmpty(message[key])),
  'content-needed': ({ message }) => callsOf(message).length === 0 && isEmpty(message['content']),
  'known-role': ({ message }, { role }) =>
    role === undefined ? !KNOWN_ROLES.has(roleOf(message)) : roleOf(message) === role,
  'call-arguments': ({ message }) => callsOf(message).some((call) => !hasObject(call['function'])),
};

const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking'] as const;
const KNOWN_ROLES = new Set(['system', 'user', 'assistant', 'tool']);

/** Ids of the calls that the results at this place may answer. */
function idsAsked(all: readonly Sent[], index: number): unknown[] {
  const asking = all.slice(0, index).findLast((message) => roleOf(message) !== 'tool');
  return callsOf(asking).map(({ id }) => id);
}

function resultsAfter(all: readonly Sent[], index: number): number {
  const end = all.findIndex((message, at) => at > index && roleOf(message) !== 'tool');
  return (end < 0 ? all.length : end) - index - 1;
}

function hasObject(called: unknown): boolean {
  const args = isRecord(called) ? called['arguments'] : undefined;
  return typeof args === 'string' ? parseRecord(args) !== undefined : isRecord(args);
}

/** @param body Body of the request. @returns undefined when none breaks the rule, or the messages are of another form */
export function findMessage(body: Sent, rule: MessageRule, named: NamedParts = {}): FoundMessage | undefined {
  const all = messagesOf(body);
  const index = all.findIndex((message, at) =>
    BREAKS[rule]({ message, before: all[at - 1], index: at, all }, named),
  );
  return index < 0 ? undefined : { index, role: roleOf(all[index]) };
}

export const messagesOf = (body: Sent): Sent[] =>
  Array.isArray(body['messages']) ? body['messages'].filter(isRecord) : [];
