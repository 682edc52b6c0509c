// Makes the text of a playground that asks what a stored run asked, to be edited and sent again. Pure.
import { toNeutral } from '../../inspect';
import { isRecord } from '../tools/json-words';
import type { Setup } from '../run/setup';
import type { ReadRun } from '../run-lines';

const HOSTED_PATH = /\/chat\/completions$/;

/**
 * Translates the request to the provider-neutral document; fields without a translation go to `raw`. What no request tells,
 * such as the mocks, is from the setup, and everything when nothing was sent. Ends with a line feed.
 */
export function playgroundOfRun(run: ReadRun): string {
  const { record, setup } = run;
  const { messages, tools, sampling, raw } = askedOf(run);
  const records = messages.filter(isRecord);
  const [first, ...rest] = records;
  const hasSystem = first?.role === 'system' && typeof first.content === 'string';
  const lane = {
    id: 'a',
    connection: record.connectionId,
    ...(record.model !== '' && { model: record.model }),
    ...(Object.keys(sampling).length > 0 && { sampling }),
    ...(setup?.rescueToolCalls === false && { rescueToolCalls: false }),
    ...(Object.keys(raw).length > 0 && { raw }),
    ...(Object.keys(setup?.limits ?? {}).length > 0 && { limits: setup?.limits }),
  };
  const document = {
    version: 1,
    ...(hasSystem && { system: first.content }),
    messages: (hasSystem ? rest : records).map(toDocumentMessage),
    tools: tools.map((tool) => withMocks(tool, setup)),
    lanes: [lane],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function askedOf({
  wire,
  setup,
}: ReadRun): Pick<ReturnType<typeof toNeutral>, 'messages' | 'tools' | 'sampling' | 'raw'> {
  const request = wire?.requests[wire.attempts.at(-1)?.request ?? -1];
  if (!request && setup) {
    const { system, messages, tools, connection, sampling, raw = {} } = setup;
    const prompt = system.trim() === '' ? [] : [{ role: 'system', content: system }];
    return {
      messages: [...prompt, ...messages],
      tools: [...tools],
      sampling: { ...connection.sampling, ...sampling },
      raw: { ...raw },
    };
  }
  const isHosted = HOSTED_PATH.test(pathOf(request?.url));
  return toNeutral(bodyOf(request?.body), wire?.sampling.sent ?? {}, { isHosted });
}

function withMocks(tool: unknown, setup: Setup | undefined): unknown {
  const offered = setup?.tools.find(({ name }) => isRecord(tool) && tool.name === name);
  return isRecord(tool) && offered && offered.mocks.length > 0 ? { ...tool, mocks: offered.mocks } : tool;
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
