// One recorded request as the inspector shows it: what was asked, what passed on both sides, and what a repair changed. Pure.
import { readEvents } from '../../inspect';
import { PROVIDER_CATALOG } from '../../library';
import type { CatalogEntry } from '../../library';
import type { AskedView, RecordedView, RepairView, SideView, WireAttemptView } from '../../protocol';
import type { AttemptResponse, NeutralRequest, RecordedExchange } from '../../types';
import type { WireRecord } from '../run/record/wire-record';
import { kindOf, textOf, toWireView } from '../run/record/wire-view';
import { readNeutral } from './recorded-run';
import { saidMessages } from './said-messages';

const MAX_TOOLS = 200;
const MAX_TEXT = 400;
const MAX_URL = 2_000;

/** @param root Address of the recording, under which the program asked; '' when it is not known any more. */
export function toRecordedView(
  { exchange, wire }: { exchange: RecordedExchange; wire: WireRecord },
  root: string,
): RecordedView {
  const { number, request, repaired, isKeyAdded } = exchange;
  const entry = PROVIDER_CATALOG.find(({ id }) => id === exchange.protocol);
  const neutral = entry && readNeutral(exchange, entry);
  const view = toWireView(wire, PROVIDER_CATALOG);
  const [attempt] = view.attempts;
  const server = toSide(attempt, exchange.response);
  const path = URL.canParse(request.url)
    ? request.url.slice(new URL(request.url).origin.length)
    : request.url;
  const client = {
    ...(repaired ? toSide(clientAttempt(exchange, wire), clientResponse(exchange)) : server),
    url: `${root}${path}`.slice(0, MAX_URL),
  };
  return {
    number,
    wire: view,
    ...(neutral && { asked: toAsked(neutral) }),
    sides: { client, server },
    changedHeaders: isKeyAdded ? keyFieldsOf(exchange) : [],
    ...(repaired && entry && { repair: toRepair(exchange, entry, neutral) }),
  };
}

/** What the program received; that of the server when nothing was changed. */
export function clientResponse({ response, repaired }: RecordedExchange): AttemptResponse | undefined {
  if (!response || !repaired) return response;
  const { arrivals: _arrivals, omittedBytes: _omitted, isBase64: _text, ...rest } = response;
  return { ...rest, body: repaired.body };
}

function clientAttempt(exchange: RecordedExchange, wire: WireRecord): WireAttemptView | undefined {
  return toWireView(clientWire(exchange, wire), PROVIDER_CATALOG).attempts[0];
}

/** The wire of the side of the program. */
export function clientWire(exchange: RecordedExchange, wire: WireRecord): WireRecord {
  const response = clientResponse(exchange);
  return {
    ...wire,
    attempts: wire.attempts.slice(0, 1).map((one) => ({ ...one, ...(response && { response }) })),
  };
}

function toSide(attempt: WireAttemptView | undefined, response: AttemptResponse | undefined): SideView {
  const { url = '', requestBytes = 0, files = [], response: view } = attempt ?? {};
  const events = response && countEvents(response);
  return {
    url,
    requestBytes,
    ...(view && { responseBytes: view.bytes + view.omittedBytes, status: view.status }),
    ...(events !== undefined && { events }),
    files,
  };
}

function countEvents(response: AttemptResponse): number | undefined {
  const kind = kindOf(response);
  return kind === 'events' || kind === 'lines'
    ? readEvents(textOf(response), kind, undefined).length
    : undefined;
}

function keyFieldsOf({ request }: RecordedExchange): string[] {
  const names = new Set(PROVIDER_CATALOG.flatMap(({ auth }) => auth.map(({ header }) => header)));
  return Object.keys(request.headers).filter((name) => names.has(name.toLowerCase()));
}

function toAsked(neutral: NeutralRequest): AskedView {
  const messages = saidMessages(neutral);
  const counts = new Map<string, number>();
  for (const { role } of messages) counts.set(role, (counts.get(role) ?? 0) + 1);
  const last = messages.at(-1);
  return {
    roles: [...counts].map(([role, count]) => ({ role, count })),
    tools: neutral.tools.slice(0, MAX_TOOLS).map(({ name }) => name.slice(0, MAX_TEXT)),
    ...(last && {
      last: { role: last.role, text: last.text.slice(0, MAX_TEXT), length: last.text.length },
    }),
  };
}

/** The names of content, calls and the reason of the end, by the end of the path of a chat. */
const FIELDS: Readonly<Record<string, readonly [string, string, string]>> = {
  '/api/chat': ['message.content', 'message.tool_calls', 'done_reason'],
  '/messages': ['text', 'tool_use', 'stop_reason'],
  '/responses': ['output_text', 'function_call', 'status'],
};
const USUAL_FIELDS = ['content', 'tool_calls', 'finish_reason'] as const;

function toRepair(
  exchange: RecordedExchange,
  entry: CatalogEntry,
  neutral: NeutralRequest | undefined,
): RepairView {
  const offered = (neutral?.tools ?? []).map(({ name }) => name);
  const [before, after] = [exchange.response, clientResponse(exchange)].map((response) =>
    toParts(response ? textOf(response) : '', entry, offered),
  );
  const names = FIELDS[entry.chatPath] ?? USUAL_FIELDS;
  const changes = names.flatMap((field, index) => {
    const [from, to] = [before?.[index], after?.[index]];
    if (from === to) return [];
    return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });
  const { heldMs } = exchange.repaired ?? {};
  return { changes, ...(heldMs !== undefined && { heldMs }) };
}

type Parts = readonly (string | undefined)[];

/** Content, calls, and why it ended. */
function toParts(body: string, entry: CatalogEntry, offered: readonly string[]): Parts {
  const reply = entry.readReply(body, offered);
  if (reply.problem !== undefined) return [];
  const { content, toolCalls, finishReason } = reply.raw;
  const calls = toolCalls.map(({ name, arguments: args }, index) => {
    const text = reply.toolCalls[index]?.rawArguments ?? JSON.stringify(args);
    return `${name} ${text}`;
  });
  const finish = finishReason === undefined ? undefined : (entry.finishWords?.[finishReason] ?? finishReason);
  return [content === '' ? undefined : content, calls.join('\n') || undefined, finish].map((part) =>
    part?.slice(0, MAX_TEXT),
  );
}
