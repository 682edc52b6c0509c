// The prompt behind the template: what the server of a lane makes of a request that was sent, or of the one that would be
// sent now, or at least its number of tokens. Only asked for by a person; generates nothing.
import { t } from '@vscode/l10n';
import { createRedactor, ProviderError } from '../library';
import type { Providers, RenderOptions } from '../library';
import type { PromptPlace, PromptView } from '../protocol';
import type { Message, RenderedPrompt } from '../types';
import { checkSendable } from './check-sendable';
import type { EditableDocument } from './editing/editable-document';
import type { PastRuns } from './journal/past-runs';
import type { Clock, OpenConnection } from './ports';
import { refuse, RefusalError } from './refusal';
import { toChatRequest } from './run/chat-step';
import type { StepServices } from './run/chat-step';
import { toWholeCharacter } from './run/record/run-record';
import { openRun } from './run/setup';
import { toAsked } from './conversation/lane-work';

/** Loading a large model takes minutes; who has no patience cancels. */
const TIMEOUT_MS = 180_000;
/** Length of the beginning and of the end that are shown of a long prompt, in UTF-16 code units. */
const PART_LENGTH = 60_000;
/** Maximum number of tools that are named. */
const MAX_NAMES = 50;

interface Request {
  connectionId: string;
  connection: OpenConnection;
  options: RenderOptions;
}

export class Prompts {
  readonly #editable: EditableDocument;
  readonly #services: StepServices;
  readonly #past: Pick<PastRuns, 'wire'>;
  readonly #nextMessages: (laneId: string) => Promise<Message[]>;
  #last: { place: PromptPlace; text: string } | undefined;

  /** @param nextMessages The conversation that a lane would send now. */
  constructor(
    editable: EditableDocument,
    services: StepServices,
    past: Pick<PastRuns, 'wire'>,
    nextMessages: (laneId: string) => Promise<Message[]>,
  ) {
    this.#editable = editable;
    this.#services = services;
    this.#past = past;
    this.#nextMessages = nextMessages;
  }

  /** The whole text of the prompt that was rendered last, if it is that of this place. */
  textOf({ laneId, runId }: PromptPlace): string {
    const { place, text } = this.#last ?? {};
    if (place?.laneId === laneId && place.runId === runId && text !== undefined) return text;
    throw refuse(t('The rendered prompt is no longer there.'), t('Show it again.'));
  }

  /** @throws RefusalError */
  async render(place: PromptPlace, signal: AbortSignal): Promise<PromptView> {
    const { runId, laneId } = place;
    const timeout = new TimeLimit(this.#services.clock);
    const either = AbortSignal.any([signal, timeout.signal]);
    let request: Request | undefined;
    try {
      request = runId === undefined ? await this.#ofNow(laneId, either) : await this.#ofRun(runId);
      const { provider, secrets } = request.connection;
      const rendered = await renderOrCount(provider, { ...request.options, signal: either });
      if (typeof rendered === 'number')
        return { ...toView('', NO_TEXT), tokens: rendered, isCountOnly: true };
      const { text, ...rest } = createRedactor(secrets).value(rendered);
      this.#last = { place, text };
      return toView(text, rest);
    } catch (error) {
      if (error instanceof RefusalError) throw error;
      if (timeout.signal.aborted) throw tookTooLong();
      const info = await this.#services.connections.explain(error, request?.connectionId);
      throw new RefusalError(createRedactor(request?.connection.secrets ?? []).value(info));
    } finally {
      timeout.end();
    }
  }

  /** As it went over the wire, to the connection as it is now. */
  async #ofRun(runId: string): Promise<Request> {
    const wire = await this.#past.wire(runId);
    const body = wire?.requests[wire.attempts.at(-1)?.request ?? -1]?.body;
    if (!wire || body === undefined)
      throw refuse(t('The request of this run is no longer stored.'), t('Run again.'));
    const { connectionId, model } = wire;
    const given = { connectionId, model, rescueToolCalls: true, onRetry: () => undefined };
    const connection = await this.#services.connections.open(given);
    return { connectionId, connection, options: { messages: [], body } };
  }

  async #ofNow(laneId: string, signal: AbortSignal): Promise<Request> {
    await this.#editable.flush();
    await this.#editable.resolved();
    checkSendable(this.#editable);
    const lane = this.#editable.document.lanes.find(({ id }) => id === laneId);
    if (!lane) throw refuse(t('The lane no longer exists.'), t('Choose another one.'));
    const messages = await this.#nextMessages(laneId);
    const asked = { ...toAsked(this.#editable), lane, messages };
    const { setup, connection, error } = await openRun(this.#services, asked, signal);
    if (!connection) throw error;
    return { connectionId: lane.connection, connection, options: toChatRequest(setup, setup.messages) };
  }
}

const NO_TEXT = { specialTokens: [], isFromTokenizer: false, missingTools: [] };

/** The number of tokens where the server does not render. @throws ProviderError */
async function renderOrCount(provider: Providers, options: RenderOptions): Promise<RenderedPrompt | number> {
  try {
    return await provider.renderPrompt(options);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return provider.countTokens(options).catch((failure: unknown) => {
      throw isUnsupported(failure) ? error : failure;
    });
  }
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof ProviderError && error.code === 'unsupported';

class TimeLimit {
  readonly #controller = new AbortController();
  readonly end: () => void;

  constructor(clock: Clock) {
    this.end = clock.after(TIMEOUT_MS, () => this.#controller.abort());
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}

const tookTooLong = (): RefusalError =>
  refuse(
    t('The server did not render the prompt within {0} minutes.', TIMEOUT_MS / 60_000),
    t('See in its log what it is doing, or ask again when it is idle.'),
    t('It may be loading the model, or working on another request.'),
  );

function toView(text: string, rendered: Omit<RenderedPrompt, 'text'>): PromptView {
  const { missingTools, ...rest } = rendered;
  const isLong = text.length > 2 * PART_LENGTH;
  return {
    ...rest,
    head: isLong ? text.slice(0, toWholeCharacter(text, PART_LENGTH)) : text,
    // Not from the middle of a character.
    tail: isLong ? text.slice(-PART_LENGTH).replace(/^[\uDC00-\uDFFF]/, '') : '',
    length: text.length,
    missingTools: missingTools.slice(0, MAX_NAMES).map((name) => name.slice(0, 200)),
  };
}
