// What is kept of an exchange: what both sides sent, when, and which conversation of a program it belongs to. JSON-safe; secrets
// are masked. Pure.
import { createHash } from 'node:crypto';
import { findResponseId } from '../inspect';
import { explainNetworkError } from '../library';
import type { RecordedExchange } from '../types';
import type { Passage } from './passage';
import { readChat } from './read-chat';

/** Turns exchanges that have ended into records, in the order in which they ended. */
export class Records {
  readonly #sessions: Sessions;

  /** @param lastSession Number of the last conversation that was recorded before. @default 0 */
  constructor(lastSession = 0) {
    this.#sessions = new Sessions(lastSession);
  }

  /** @returns undefined when nothing was sent to the server */
  toRecord(passage: Passage): RecordedExchange | undefined {
    const { number, startedAt, userAgent, protocol, endMs = 0, endedBy = 'server', error } = passage;
    const evidence = passage.evidence();
    if (!evidence) return undefined;
    const chat = protocol && readChat(evidence.request.body);
    const program = programOf(userAgent);
    const { headersMs, firstByteMs, isKeyAdded } = passage;
    const repaired = passage.repaired();
    const repairing = passage.repairing();
    return {
      number,
      startedAt,
      program,
      ...(chat && {
        session: this.#sessions.find(`${program}\n${protocol.id}`, chat, evidence.response?.body),
      }),
      ...(protocol && { protocol: protocol.id }),
      ...(chat?.model !== undefined && { model: chat.model }),
      ...evidence,
      ...(headersMs !== undefined && { headersMs: Math.round(headersMs) }),
      ...(firstByteMs !== undefined && { firstByteMs: Math.round(firstByteMs) }),
      endMs: Math.round(endMs),
      endedBy,
      ...(error && toProblem(error)),
      ...(isKeyAdded && { isKeyAdded }),
      ...(repaired && { repaired: { ...repaired, heldMs: Math.round(repaired.heldMs ?? 0) } }),
      ...(repairing && { repairing }),
    };
  }
}

function toProblem(error: Error): Pick<RecordedExchange, 'problem' | 'errorCode'> {
  const { why, code } = explainNetworkError(error);
  return { problem: why, ...(code !== undefined && { errorCode: code }) };
}

/** In UTF-16 code units. */
const MAX_PROGRAM = 80;

/** The product with its version, without the systems and libraries that follow. */
export const programOf = (userAgent: string): string =>
  (/^[^\s(]+/.exec(userAgent)?.[0] ?? '').slice(0, MAX_PROGRAM);

/** Older conversations are forgotten; one that goes on then counts as a new one. */
const MAX_SESSIONS = 1_000;

interface Conversation {
  number: number;
  /** Numbers of messages of its first request, and of its longest one so far. */
  first: number;
  most: number;
}

class Sessions {
  readonly #known = new Map<string, Conversation>();
  #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  /**
   * The requests of a program that begin with the same message, or continue a reply, are one conversation. One that had gone on
   * and begins again with as many messages as at first is another: the program was started again with the same task.
   * @param asker Program and protocol: nobody goes on in another protocol.
   */
  find(
    asker: string,
    { opening, previousId, messages }: NonNullable<ReturnType<typeof readChat>>,
    reply = '',
  ): number {
    // Hashed, because a first message may contain images of megabytes.
    const key = createHash('sha256')
      .update(`${asker}\n${opening ?? ''}`)
      .digest('base64url');
    const before = previousId === undefined ? undefined : this.#known.get(previousId);
    const begun = this.#known.get(key);
    const beginsAgain = begun !== undefined && begun.most > begun.first && messages === begun.first;
    const found = before ??
      (beginsAgain ? undefined : begun) ?? { number: (this.#count += 1), first: messages, most: messages };
    found.most = Math.max(found.most, messages);
    if (before === undefined) this.#remember(key, found);
    const replyId = findResponseId(reply);
    if (replyId !== undefined) this.#remember(replyId, found);
    return found.number;
  }

  #remember(key: string, conversation: Conversation): void {
    this.#known.delete(key);
    this.#known.set(key, conversation);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_SESSIONS && oldest !== undefined) this.#known.delete(oldest);
  }
}
