// Writes the text of a playground that asks what a request asked. Pure.
import type { DocumentLane, DocumentMessage } from '../../protocol';
import type { Message, NeutralRequest } from '../../types';

export type AskedParts = Pick<NeutralRequest, 'messages' | 'sampling' | 'toolChoice' | 'raw'> & {
  /** Also with mocks. */
  tools: readonly object[];
};

interface LaneParts {
  connection: string;
  model?: string;
  /** @default true */
  rescueToolCalls?: boolean | undefined;
  limits?: DocumentLane['limits'] | undefined;
}

/**
 * What a document has no place for is dropped: the reasoning of messages, and what a service added to calls.
 * @param lane What the request does not tell. @returns text that ends with a line feed
 */
export function playgroundText(
  { messages, tools, sampling, toolChoice, raw }: AskedParts,
  { connection, model = '', rescueToolCalls = true, limits = {} }: LaneParts,
): string {
  const [first, ...rest] = messages;
  const hasSystem = first?.role === 'system';
  const lane = {
    id: 'a',
    connection,
    ...(model !== '' && { model }),
    ...(Object.keys(sampling).length > 0 && { sampling }),
    ...(!rescueToolCalls && { rescueToolCalls }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(Object.keys(raw).length > 0 && { raw }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
  const document = {
    version: 1,
    ...(hasSystem && { system: first.content }),
    messages: (hasSystem ? rest : messages).map(toDocumentMessage),
    tools,
    lanes: [lane],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

export const toDocumentMessage = ({
  role,
  content,
  toolCalls,
  toolCallId,
  toolName,
  isError,
}: Message): DocumentMessage => ({
  role,
  content,
  ...(toolCalls && {
    toolCalls: toolCalls.map(({ id, name, arguments: args }) => ({
      ...(id !== '' && { id }),
      name,
      arguments: args,
    })),
  }),
  ...(toolCallId !== undefined && { toolCallId }),
  ...(toolName !== undefined && { toolName }),
  ...(isError && { isError }),
});
