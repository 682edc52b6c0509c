// Makes the text of a playground that asks what a stored run asked, to be edited and sent again. Pure.
import { toNeutral } from '../../inspect';
import { isRecord } from '../tools/json-words';
import type { ReadRun } from './read-run';

const HOSTED_PATH = /\/chat\/completions$/;

/**
 * Translates the request to the provider-neutral document; fields without a translation go to `raw`. Ends with a line feed.
 */
export function playgroundOfRun({ record, wire }: ReadRun): string {
  const { connectionId, model } = record;
  const request = wire?.requests[wire.attempts.at(-1)?.request ?? -1];
  const isHosted = HOSTED_PATH.test(pathOf(request?.url));
  const { messages, tools, sampling, raw } = toNeutral(bodyOf(request?.body), wire?.sampling.sent ?? {}, {
    isHosted,
  });
  const records = messages.filter(isRecord);
  const [first, ...rest] = records;
  const hasSystem = first?.role === 'system' && typeof first.content === 'string';
  const lane = {
    id: 'a',
    connection: connectionId,
    ...(model !== '' && { model }),
    ...(Object.keys(sampling).length > 0 && { sampling }),
    ...(Object.keys(raw).length > 0 && { raw }),
  };
  const document = {
    version: 1,
    ...(hasSystem && { system: first.content }),
    messages: (hasSystem ? rest : records).map(toDocumentMessage),
    tools,
    lanes: [lane],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function toDocumentMessage(message: Record<string, unknown>): object {
  const { role, content, toolCalls, toolCallId, toolName } = message;
  return {
    role,
    content,
    ...(Array.isArray(toolCalls) && { toolCalls: toolCalls.filter(isRecord).map(toDocumentCall) }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(toolName !== undefined && { toolName }),
  };
}

const toDocumentCall = ({ id, name, arguments: value }: Record<string, unknown>): object => ({
  id,
  name,
  arguments: value,
});

const pathOf = (url = ''): string => (URL.canParse(url) ? new URL(url).pathname : '');

/** Parses the body. A masked or truncated one may no longer be JSON, and gives an empty object. */
function bodyOf(text = ''): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
