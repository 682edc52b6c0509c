// Makes an evaluation of a recorded conversation: each request is a row that sends what the program sent then, and expects the
// calls that came. Pure.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { canonicalJson, findResponseId, isMatcher, toLabel } from '../../inspect';
import { isRecord } from '../../library';
import type { DocumentLane, DocumentMessage } from '../../protocol';
import { DOCUMENT_LIMIT } from '../../protocol';
import type { CallPattern, FormNote, Message, NeutralRequest, RecordedExchange } from '../../types';
import { parseDocument } from '../document/parse-document';
import { toDocumentMessage } from '../document/playground-text';
import { describeNotes } from '../open-request/describe-notes';
import { UnreadRequest } from '../open-request/found-request';
import { maskAsked, maskTexts } from '../open-request/take-secrets';
import { withoutReasoning } from '../open-request/without-reasoning';
import type { MessageRange } from '../rows/message-picks';
import { printPicks } from '../rows/message-picks';
import { keepBraces } from '../rows/template';
import { firstIssue } from '../tools/schema/check-against-schema';
import { MessagePool } from './message-pool';
import type { ReplayedCall, ReplayedReply, ReplayedTurn } from './read-turn';
import { readTurn, toReplyMessage } from './read-turn';
import { taskOf } from './task-of';

/** A turn of the conversation, with everything that came when it was asked. */
interface Turn {
  picks: MessageRange[];
  replies: ReplayedReply[];
  /** Why the last attempt has no reply. */
  problem: string;
}

export interface SessionReplay {
  /** Id in the catalog of the protocol in which it was recorded, and what was asked then. */
  protocol: string;
  model: string;
  /** Base address of the server. */
  host?: string | undefined;
  /** Number of turns that are asked again. */
  turns: number;
  /** What of the recording is not asked, or not as it was; each a phrase for people. */
  leftOut: string[];
  /** @returns the text of the playground. @throws UnreadRequest when it would not be valid */
  toText: (lanes: readonly ReplayLane[]) => string;
}

/** A lane that is asked. */
export interface ReplayLane {
  connection: string;
  /** Default: the model of the connection. */
  model?: string | undefined;
  /** Id in the catalog of the protocol of the connection. */
  protocol: string;
}

/** @param exchanges Those of one conversation, in their order. @throws UnreadRequest when none can be asked again */
export async function replaySession(exchanges: readonly RecordedExchange[]): Promise<SessionReplay> {
  const reader = new SessionReader();
  for (const exchange of exchanges) {
    reader.add(exchange);
    // A long conversation takes seconds, and nothing else must wait for all of it.
    await nextTurn();
  }
  return reader.end();
}

type Requests = 'unread' | 'untooled' | 'unheld' | 'unlinked' | 'beyond';

class SessionReader {
  readonly #pool = new MessagePool<DocumentMessage>();
  /** By the messages that are asked: a request that is sent again is the same turn. */
  readonly #turns = new Map<string, Turn>();
  readonly #tools = new Map<string, NeutralRequest['tools'][number]>();
  /** Of each request, as JSON. */
  readonly #toolSets = new Set<string>();
  readonly #settings: Record<'sampling' | 'raw' | 'choice', CommonMembers> = {
    sampling: new CommonMembers(),
    raw: new CommonMembers(),
    choice: new CommonMembers(),
  };
  /** The messages up to a reply, by its id: the next request may name the reply in their place. */
  readonly #histories = new Map<string, readonly Message[]>();
  /** Numbers of requests that are not asked again, by the reason. */
  readonly #skipped: Record<Requests, number> = { unread: 0, untooled: 0, unheld: 0, unlinked: 0, beyond: 0 };
  /** By what and where: a message is in all requests that follow it. */
  readonly #notes = new Map<string, FormNote>();
  /** Names of tools that are no functions. */
  readonly #otherTools = new Set<string>();
  #last: ReplayedTurn | undefined;

  add(exchange: RecordedExchange): void {
    const turn = readTurn(exchange);
    if (!turn) this.#skipped.unread += 1;
    else if (turn.neutral.tools.length === 0 && !hasOwnTools(turn)) this.#skipped.untooled += 1;
    else this.#addTurn(turn, exchange);
  }

  #addTurn(turn: ReplayedTurn, exchange: RecordedExchange): void {
    const { neutral, otherTools, reply, problem = '', notes } = turn;
    const messages = this.#historyOf(neutral);
    if (messages === undefined) return void (this.#skipped.unlinked += 1);
    if (messages.length === 0 || neutral.tools.length === 0) return void (this.#skipped.unheld += 1);
    if (reply) this.#remember(exchange, [...messages, toReplyMessage(reply)]);
    const said = messages.map((message) => toDocumentMessage(message));
    if (this.#pool.messages.length + said.length > DOCUMENT_LIMIT.messages && !this.#pool.holds(said))
      return void (this.#skipped.beyond += 1);
    const picks = this.#pool.add(said);
    const key = printPicks(picks);
    const known = this.#turns.get(key) ?? { picks, replies: [], problem };
    this.#turns.set(key, known);
    if (reply) known.replies.push(reply);
    known.problem = problem;
    this.#addSettings(neutral);
    for (const name of otherTools) this.#otherTools.add(name);
    for (const note of notes) this.#notes.set(`${note.why} ${note.path}`, note);
    this.#last = turn;
  }

  /** @returns undefined when it continues a reply that was not recorded */
  #historyOf({ messages, raw }: NeutralRequest): readonly Message[] | undefined {
    const { previous_response_id: previous } = raw;
    if (previous === undefined || previous === null) return messages;
    const before = typeof previous === 'string' ? this.#histories.get(previous) : undefined;
    if (!before) return undefined;
    const hasSystem = messages[0]?.role === 'system';
    const system = hasSystem ? messages.slice(0, 1) : [];
    const said = before[0]?.role === 'system' ? before.slice(1) : before;
    return [...system, ...said, ...messages.slice(hasSystem ? 1 : 0)];
  }

  #remember({ response }: RecordedExchange, messages: readonly Message[]): void {
    const id = findResponseId(response?.body ?? '');
    if (id !== undefined) this.#histories.set(id, messages);
  }

  #addSettings({ tools, sampling, raw, toolChoice }: NeutralRequest): void {
    for (const tool of tools) this.#tools.set(tool.name, tool);
    this.#toolSets.add(canonicalJson(tools));
    const { previous_response_id: _previous, ...others } = raw;
    this.#settings.sampling.add(sampling);
    this.#settings.raw.add(others);
    this.#settings.choice.add({ toolChoice: toolChoice ?? null });
  }

  /** @throws UnreadRequest */
  end(): SessionReplay {
    const turns = [...this.#turns.values()];
    const asked = turns.filter(({ replies }) => replies.length > 0);
    if (!this.#last || asked.length === 0) throw this.#refusal(turns);
    const { entry, host, neutral } = this.#last;
    const { raw, leftOut } = withoutReasoning(this.#settings.raw.common, entry, {
      messages: this.#pool.messages,
      notes: this.#notes.values(),
    });
    const sent = maskAsked({ ...neutral, messages: [], raw }).asked.raw;
    return {
      protocol: entry.id,
      model: neutral.model,
      host,
      turns: asked.length,
      leftOut: [...this.#leftOut(turns.length - asked.length), ...leftOut],
      toText: (lanes) => this.#toText(turns, lanes, (lane) => (lane.protocol === entry.id ? sent : {})),
    };
  }

  #toText(
    turns: readonly Turn[],
    lanes: readonly ReplayLane[],
    rawOf: (lane: ReplayLane) => Record<string, unknown>,
  ): string {
    const { system, messages, picksOf } = takeSystem(this.#pool.messages, turns);
    const tools = [...this.#tools.values()];
    const wentOn = new Set(messages.flatMap(signsOf));
    const document = {
      version: 1,
      name: toLabel(t('Replay: {0}', firstWords(messages)), DOCUMENT_LIMIT.name),
      ...(system !== '' && { system: keepBraces(system) }),
      messages: messages.map(withBraces),
      tools: tools.map((tool) => ({
        ...tool,
        ...(tool.description !== undefined && { description: keepBraces(tool.description) }),
      })),
      lanes: lanes
        .slice(0, DOCUMENT_LIMIT.lanes)
        .map((lane, index) => this.#toLane(lane, index, rawOf(lane))),
      evaluate: {
        rows: turns.map((turn, index) => ({
          $id: `turn-${index + 1}`,
          $name: t('Turn {0}', index + 1),
          $messages: printPicks(picksOf(turn)),
          ...toExpected(turn, wentOn, tools),
        })),
      },
    };
    const text = `${JSON.stringify(maskTexts(document), null, 2)}\n`;
    const { error } = parseDocument(text);
    if (!error) return text;
    throw new UnreadRequest(
      t('The session does not fit a playground: {0}', error.message),
      t('Open one of its requests alone.'),
    );
  }

  #toLane({ connection, model = '' }: ReplayLane, index: number, raw: Record<string, unknown>): object {
    const { sampling, choice } = this.#settings;
    const { toolChoice } = choice.common as { toolChoice?: DocumentLane['toolChoice'] | null };
    return {
      id: String.fromCodePoint(97 + index),
      connection,
      ...(model !== '' && { model }),
      ...(Object.keys(sampling.common).length > 0 && { sampling: sampling.common }),
      ...(toolChoice && { toolChoice }),
      ...(Object.keys(raw).length > 0 && { raw }),
    };
  }

  #leftOut(unanswered: number): string[] {
    const { untooled, unread, unheld, unlinked, beyond } = this.#skipped;
    const { sampling, raw, choice } = this.#settings;
    const changing = [...sampling.changing, ...raw.changing, ...choice.changing];
    return [
      ...phraseOf(unanswered, (n) => t('turns that have no reply: {0}', n)),
      ...phraseOf(untooled, (n) => t('requests that offer no tools, such as for a title: {0}', n)),
      ...phraseOf(unread, (n) => t('requests that were not recorded as a whole, or are no chats: {0}', n)),
      ...phraseOf(unheld, (n) =>
        t('requests with messages or tools that a playground cannot hold, such as images: {0}', n),
      ),
      ...phraseOf(unlinked, (n) => t('requests that continue a reply that was not recorded: {0}', n)),
      ...phraseOf(beyond, (n) => t('requests beyond {0} messages: {1}', DOCUMENT_LIMIT.messages, n)),
      ...(this.#otherTools.size > 0
        ? [t('tools that are no functions: {0}', [...this.#otherTools].slice(0, 10).join(', '))]
        : []),
      ...(this.#toolSets.size > 1 ? [t('that the tools changed: each turn is offered all of them')] : []),
      ...(changing.length > 0 ? [t('settings that changed: {0}', changing.slice(0, 10).join(', '))] : []),
      ...describeNotes([...this.#notes.values()]),
    ];
  }

  #refusal(turns: readonly Turn[]): UnreadRequest {
    const [first] = turns;
    if (first)
      return new UnreadRequest(
        t('No turn of the session has a reply to compare with: {0}.', first.problem),
        t('Record the session again.'),
      );
    const why = this.#leftOut(0).join('; ');
    return new UnreadRequest(
      t('The session has no turn that can be asked again: {0}.', why === '' ? t('it is empty') : why),
      t('Choose another session, or open one of its requests alone.'),
    );
  }
}

/** Tools that have no neutral form stand in `raw`. */
function hasOwnTools({ neutral }: ReplayedTurn): boolean {
  const { tools } = neutral.raw;
  return Array.isArray(tools) && tools.length > 0;
}

const phraseOf = (count: number, phrase: (count: number) => string): string[] =>
  count > 0 ? [phrase(count)] : [];

/** The members that all requests have with the same value. */
class CommonMembers {
  common: Record<string, unknown> = {};
  /** Names of the others. */
  readonly changing = new Set<string>();
  #isFirst = true;

  add(members: object): void {
    const given = members as Readonly<Record<string, unknown>>;
    if (this.#isFirst) this.common = { ...given };
    this.#isFirst = false;
    for (const key of new Set([...Object.keys(this.common), ...Object.keys(given)])) {
      if (this.changing.has(key)) continue;
      if (canonicalJson([this.common[key] ?? null]) === canonicalJson([given[key] ?? null])) continue;
      this.changing.add(key);
      delete this.common[key];
    }
  }
}

/** A system prompt that all turns begin with is that of the playground; others stay messages. */
function takeSystem(
  messages: readonly DocumentMessage[],
  turns: readonly Turn[],
): { system: string; messages: readonly DocumentMessage[]; picksOf: (turn: Turn) => MessageRange[] } {
  const [first] = messages;
  const isShared = first?.role === 'system' && turns.every(({ picks }) => beginsWithFirst(picks));
  if (!isShared) return { system: '', messages, picksOf: ({ picks }) => picks };
  const picksOf = ({ picks }: Turn): MessageRange[] =>
    picks.flatMap(([from, to], at): MessageRange[] => {
      const start = at === 0 ? 2 : from;
      return start > to ? [] : [[start - 1, to - 1]];
    });
  return { system: first.content, messages: messages.slice(1), picksOf };
}

/** And has more than the first message. */
const beginsWithFirst = ([head = [0, 0], ...rest]: readonly MessageRange[]): boolean =>
  head[0] === 1 && (head[1] > 1 || rest.length > 0) && rest.every(([from]) => from > 1);

function withBraces(message: DocumentMessage): object {
  const { content, toolCalls } = message;
  return {
    ...message,
    content: keepBraces(content),
    ...(toolCalls && {
      toolCalls: toolCalls.map((call) => ({ ...call, arguments: keepBraces(call.arguments) })),
    }),
  };
}

const firstWords = (messages: readonly DocumentMessage[]): string =>
  taskOf(messages).replaceAll(/\s+/g, ' ').trim().slice(0, 60);

/** By which a reply is found again in the messages of later requests. */
const signsOf = ({ role, content, toolCalls = [] }: DocumentMessage): string[] =>
  role === 'assistant'
    ? [`text:${content}`, ...toolCalls.flatMap(({ id }) => (id === undefined ? [] : [`id:${id}`]))]
    : [];

/** What is expected of a turn; without a reply it is not asked. */
function toExpected(
  { replies, problem }: Turn,
  wentOn: ReadonlySet<string>,
  tools: NeutralRequest['tools'],
): Record<string, unknown> {
  // The program may have asked several times: what counts is the reply that it went on with.
  const reply = replies.findLast((each) => isUsed(each, wentOn)) ?? replies.at(-1);
  if (!reply) return { $skip: toLabel(t('No reply to compare with: {0}', problem), DOCUMENT_LIMIT.name) };
  return { $expect: [{ calls: reply.calls.map((call) => toPattern(call, tools)) }] };
}

const isUsed = ({ calls: [first], content }: ReplayedReply, wentOn: ReadonlySet<string>): boolean =>
  wentOn.has(first && first.id !== '' ? `id:${first.id}` : `text:${content}`);

/** A pattern that only the same call meets; of arguments that are not known, any. */
function toPattern(
  { name, arguments: args = {}, isLost }: ReplayedCall,
  tools: NeutralRequest['tools'],
): CallPattern {
  if (isLost) return { tool: name };
  const schema = tools.find((tool) => tool.name === name)?.parameters;
  const isValid = schema === undefined || firstIssue(args, schema) === undefined;
  return { tool: name, ...toExact(args), ...(!isValid && { valid: false }) };
}

function toExact(args: unknown): Pick<CallPattern, 'arguments' | 'exact'> {
  if (!isRecord(args) || isMatcher(args)) return { arguments: { $equals: keepBraces(args) } };
  const entries = Object.entries(args).map(([key, value]): [string, unknown] => [
    key,
    typeof value === 'object' && value !== null ? { $equals: keepBraces(value) } : keepBraces(value),
  ]);
  return { arguments: Object.fromEntries(entries), exact: true };
}
