// Answers the chat of the editor with the models of the connections: each request is a run of the history. Bundled as a chunk that
// is loaded when the editor first asks for the models.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connections } from '../../connections';
import type { Journal, LogSink } from '../../session';
import { CHAT_SESSION_ID } from '../contributions';
import type { Lazy } from '../lazy';
import { loadEngine } from '../load-engine';
import { toSignal } from '../to-signal';
import type { SessionPool } from '../playground/session-pool';
import { ChatCallers, nameOf } from './chat-callers';
import type { OfferedModel } from './offered-models';
import { thinkingPart, usagePart } from './newer-parts';
import { findSplit, OfferedModels } from './offered-models';
import { reportReply } from './report-reply';
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

export class ChatModelServices {
  readonly callers: ChatCallers;
  readonly #dependencies: ChatModelDependencies;
  /** By the id of the model, as they were listed last. */
  readonly #offered = new Map<string, OfferedModel>();
  #models: OfferedModels | undefined;
  #journal: Promise<Journal> | undefined;

  constructor(dependencies: ChatModelDependencies) {
    this.#dependencies = dependencies;
    this.callers = new ChatCallers(dependencies.state, dependencies.ownId);
  }

  async list(token: vscode.CancellationToken): Promise<vscode.LanguageModelChatInformation[]> {
    const { env, extensions, UIKind } = vscode;
    // In a browser all extensions of the window's machine share one host.
    const isRemote = env.remoteName !== undefined && env.uiKind === UIKind.Desktop;
    const split = findSplit(isRemote, extensions.getExtension('github.copilot-chat') !== undefined);
    if (split !== undefined) {
      this.#dependencies.log.warn(split);
      return [];
    }
    if (!vscode.workspace.isTrusted) return [];
    const { connections } = await this.#dependencies.connections.get();
    this.#models ??= new OfferedModels(connections, Date.now);
    const offered = await this.#models.list(toSignal(token));
    this.#offered.clear();
    for (const one of offered) this.#offered.set(one.id, one);
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
        t('{0} is not allowed to use the connections of Provider Playground.', nameOf(caller ?? '?')),
      );
    }
    const offered = this.#offered.get(id);
    if (!offered) {
      throw vscode.LanguageModelError.NotFound(
        t('{0} is no longer offered to the chat of VS Code: its connection was changed or switched off.', id),
      );
    }
    const asked = toAsked(messages, options);
    const { serveChat } = await loadEngine();
    const record = await serveChat(await this.#openJournal(), await this.#stepServices(), {
      asked: toRun(offered, asked),
      askedBy: nameOf(caller ?? '?'),
      signal: toSignal(token),
      onText: (text) => progress.report(new vscode.LanguageModelTextPart(text)),
      onReasoning: (text) => report(progress, thinkingPart(text)),
    });
    this.#dependencies.onRun();
    if (token.isCancellationRequested) return;
    const usedIds = new Set(asked.messages.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => call.id)));
    const reported = reportReply(record, usedIds);
    if (reported.kind === 'failure') throw toError(reported);
    for (const { callId, name, input } of reported.calls)
      progress.report(new vscode.LanguageModelToolCallPart(callId, name, input));
    if (reported.note !== undefined) progress.report(new vscode.LanguageModelTextPart(reported.note));
    report(progress, reported.usage && usagePart(reported.usage));
  }

  async close(): Promise<void> {
    await (await this.#journal)?.close();
  }

  /** Opened once, so that two requests at a time write to the same. */
  #openJournal(): Promise<Journal> {
    this.#journal ??= this.#dependencies.pool.store().then((store) => store.open(CHAT_SESSION_ID));
    return this.#journal;
  }

  async #stepServices() {
    const { connections } = await this.#dependencies.connections.get();
    const views = await connections.views();
    return { ...(await this.#dependencies.pool.stepServices()), knownConnections: () => views };
  }
}

const toRun = ({ connectionId, model }: OfferedModel, { sampling, toolChoice, ...asked }: AskedOfModel) => ({
  lane: {
    connection: connectionId,
    model,
    sampling,
    rescueToolCalls: true,
    limits: {},
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

function toError({ code, message }: { code: string; message: string }): Error {
  if (code === 'aborted') return new vscode.CancellationError();
  return /^(key|unauthorized|forbidden)/.test(code)
    ? vscode.LanguageModelError.NoPermissions(message)
    : new Error(message);
}

/** @param part Undefined in an editor that has no such parts. */
function report(
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  part: vscode.LanguageModelResponsePart | undefined,
): void {
  if (part) progress.report(part);
}
