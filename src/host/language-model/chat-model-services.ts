// Answers the chat of the editor with the models of the connections: each request is a run of the history. Bundled as a chunk that
// is loaded when the editor first asks for the models.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connections } from '../../connections';
import { cutShort } from '../../inspect';
import type { Journal, LogSink, RunRecord, ServedReply } from '../../session';
import { CHAT_SESSION_ID } from '../contributions';
import { showMessage } from '../dialogs';
import { Lazy } from '../lazy';
import { loadEngine } from '../load-engine';
import { toSignal } from '../to-signal';
import type { SessionPool } from '../playground/session-pool';
import { toRunDocumentUri } from '../wire/wire-uri';
import { ChatCallers, isEditorChat, nameOf } from './chat-callers';
import { ChatItem } from './chat-item';
import { readChatWindow } from './chat-window';
import { KeptReplays } from './kept-replays';
import type { OfferedModel } from './offered-models';
import { thinkingPart, usagePart } from './newer-parts';
import { OfferedModels } from './offered-models';
import type { Failure } from './report-reply';
import { reportReply } from './report-reply';
import { tellIgnored } from './tell-ignored';
import type { AskedOfModel } from './to-asked';
import { toAsked } from './to-asked';

export interface ChatModelDependencies {
  connections: Lazy<Connections>;
  pool: SessionPool;
  log: LogSink;
  state: vscode.Memento;
  /** Id of this extension. */
  ownId: string;
  /** Called after each run. */
  onRun: () => void;
}

/** In characters, of a notification. */
const MAX_MESSAGE = 300;

/** Who gets an answer, and where. */
interface Answering {
  caller: string | undefined;
  progress: vscode.Progress<vscode.LanguageModelResponsePart>;
}

export class ChatModelServices {
  readonly callers: ChatCallers;
  readonly #dependencies: ChatModelDependencies;
  readonly #models: Lazy<OfferedModels>;
  /** Opened once, so that two requests at a time write to the same. */
  readonly #journal: Lazy<Journal>;
  readonly #item = new ChatItem();
  readonly #replays = new KeptReplays();
  #isOffering = false;

  constructor(dependencies: ChatModelDependencies) {
    this.#dependencies = dependencies;
    const { connections, pool, state, ownId } = dependencies;
    this.callers = new ChatCallers(state, ownId);
    this.#models = new Lazy(async () => new OfferedModels((await connections.get()).connections, Date.now));
    this.#journal = new Lazy(async () => (await pool.store()).open(CHAT_SESSION_ID));
  }

  async list(token: vscode.CancellationToken): Promise<vscode.LanguageModelChatInformation[]> {
    const { isTrusted, split } = readChatWindow(this.#dependencies.ownId);
    if (split !== undefined) this.#dependencies.log.warn(split);
    if (split !== undefined || !isTrusted) return [];
    const offered = await (await this.#models.get()).list(toSignal(token));
    return offered.map(toChatModel);
  }

  async answer(
    { id }: Pick<vscode.LanguageModelChatInformation, 'id'>,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    // Present at run time, without a type.
    const { requestInitiator } = options as { requestInitiator?: unknown };
    const caller =
      typeof requestInitiator === 'string' && requestInitiator !== '' ? requestInitiator : undefined;
    if (!(await this.callers.isAllowed(caller))) {
      throw vscode.LanguageModelError.NoPermissions(
        t('{0} is not allowed to use the connections of Provider Playground.', nameOf(caller)),
      );
    }
    const offered = (await this.#models.get()).find(id);
    if (!offered) {
      throw vscode.LanguageModelError.NotFound(
        t('{0} is no longer offered to the chat of VS Code: its connection was changed or switched off.', id),
      );
    }
    const read = toAsked(messages, options, offered);
    const asked = { ...read, messages: this.#replays.giveBack(read.messages, offered.connectionId) };
    const ended = this.#item.begin();
    let isFailed = true;
    try {
      const served = await this.#serve(offered, asked, { caller, progress, token });
      if (!token.isCancellationRequested) this.#pass(served, asked, { caller, progress });
      isFailed = false;
    } finally {
      ended(isFailed);
    }
  }

  async #serve(
    offered: OfferedModel,
    asked: AskedOfModel,
    { caller, progress, token }: Answering & { token: vscode.CancellationToken },
  ): Promise<ServedReply> {
    const { log } = this.#dependencies;
    if (asked.dropped > 0)
      log.info(`VS Code chat: ${asked.dropped} parts that no model can be sent were left out`);
    const { repairArguments, serveChat } = await loadEngine();
    const served = await serveChat(await this.#journal.get(), await this.#stepServices(), {
      asked: toRun(offered, asked),
      askedBy: nameOf(caller),
      findings: tellIgnored(asked.ignored),
      receiver: t('VS Code'),
      repair: repairArguments,
      signal: toSignal(token),
      onText: (text) => progress.report(new vscode.LanguageModelTextPart(text)),
      onReasoning: (text) => report(progress, thinkingPart(text)),
    });
    this.#dependencies.onRun();
    return served;
  }

  /** What is known when the run has ended: its calls, its usage, why it was cut. @throws why there is no reply */
  #pass(served: ServedReply, asked: AskedOfModel, { caller, progress }: Answering): void {
    const { record } = served;
    const usedIds = new Set(asked.messages.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => call.id)));
    const reported = reportReply(served, usedIds);
    if (reported.kind === 'failure') {
      if (isEditorChat(caller)) void this.#offerToLook(record, reported.message);
      throw toError(reported);
    }
    const callIds = reported.calls.map(({ callId }) => callId);
    this.#replays.keep(callIds, record.turn?.assistant.replay);
    for (const { callId, name, input } of reported.calls)
      progress.report(new vscode.LanguageModelToolCallPart(callId, name, input));
    if (reported.note !== undefined) progress.report(new vscode.LanguageModelTextPart(reported.note));
    report(progress, reported.usage && usagePart(reported.usage));
  }

  /** The chat shows the error as a text, in which nothing can be clicked. One at a time: an agent may fail often. */
  async #offerToLook({ runId, model, startedAt: at }: RunRecord, message: string): Promise<void> {
    if (this.#isOffering) return;
    this.#isOffering = true;
    const look = t('Open in Provider Playground');
    const chosen = await showMessage('error', cutShort(message, MAX_MESSAGE), {}, look);
    this.#isOffering = false;
    if (chosen !== look) return;
    await vscode.commands.executeCommand(
      'vscode.open',
      toRunDocumentUri(CHAT_SESSION_ID, { runId, model, at }),
    );
  }

  async close(): Promise<void> {
    this.#item.dispose();
    await (await this.#journal.loaded())?.close();
  }

  async #stepServices() {
    const { connections } = await this.#dependencies.connections.get();
    const views = await connections.views();
    return { ...(await this.#dependencies.pool.stepServices()), knownConnections: () => views };
  }
}

const toRun = (
  { connectionId, model }: OfferedModel,
  { sampling, raw, toolChoice, ...asked }: AskedOfModel,
) => ({
  lane: {
    connection: connectionId,
    model,
    sampling,
    rescueToolCalls: true,
    limits: {},
    ...(raw && { raw }),
    ...(toolChoice && { toolChoice }),
  },
  system: asked.system,
  tools: asked.tools,
  idleTools: [],
  messages: asked.messages,
});

function toChatModel({
  id,
  model,
  connection,
  maxInputTokens,
  maxOutputTokens,
  isContextKnown,
}: OfferedModel): vscode.LanguageModelChatInformation {
  const size = isContextKnown
    ? t('{0} tokens of context.', maxInputTokens + maxOutputTokens)
    : t('Nobody says how much context it has; {0} tokens are assumed.', maxInputTokens + maxOutputTokens);
  return {
    id,
    name: model,
    family: model,
    version: '1',
    detail: connection,
    tooltip: [
      t('{0} by {1}, with tool calls read from text.', model, connection),
      size,
      t('Titles, summaries and other helper requests of the chat may still go to models of its own.'),
    ].join(' '),
    maxInputTokens,
    maxOutputTokens,
    // Rescue serves models whose server has no calls of its own.
    capabilities: { toolCalling: true, imageInput: false },
  };
}

const toError = ({ isKeyWanted, message }: Failure): Error =>
  isKeyWanted ? vscode.LanguageModelError.NoPermissions(message) : new Error(message);

/** @param part Undefined in an editor that has no such parts. */
function report(
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  part: vscode.LanguageModelResponsePart | undefined,
): void {
  if (part) progress.report(part);
}
