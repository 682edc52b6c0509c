// Reads what a recorded exchange says: how its reply came out, and what it used. Pure.
import { judgeTurn } from '../inspect';
import type { TurnVerdict } from '../inspect';
import { PROVIDER_CATALOG, rescueToolCalls } from '../library';

import { readChat } from './read-chat';
import type { RecordedExchange, TokenUsage } from '../types';

export interface ExchangeReading {
  messages: number;
  /** Names of the offered tools. */
  tools: string[];
  /** Absent when there is no reply that can be read; then `problem` says why. */
  verdict?: TurnVerdict | undefined;
  problem?: string | undefined;
  usage: TokenUsage;
}

/** @returns undefined for what is no chat of a known protocol */
export function readExchange({ protocol, request, response }: RecordedExchange): ExchangeReading | undefined {
  const entry = PROVIDER_CATALOG.find(({ id }) => id === protocol);
  const chat = entry && readChat(request.body);
  if (!chat) return undefined;
  const tools = chat.tools.map(({ name }) => name);
  const known = { messages: chat.messages, tools, usage: {} };
  const { status = 0 } = response ?? {};
  if (!response || status < 200 || status >= 300) return known;
  const reply = entry.readReply(response.body, tools);
  if (reply.problem !== undefined) return { ...known, problem: reply.problem };
  const { raw, toolCalls } = reply;
  const isNative = raw.toolCalls.length > 0 || tools.length === 0;
  const { finishReason } = raw;
  const rescue = isNative ? undefined : rescueToolCalls(raw.content, chat.tools, { finishReason });
  const calls = chat.forbidsCalls ? [] : (rescue?.calls ?? []);
  const verdict = judgeTurn(
    {
      raw: { ...raw, attempts: 1 },
      ...(rescue && { rescue }),
      toolCalls: [...raw.toolCalls, ...calls],
      exchange: { toolCalls },
    },
    { toolNames: tools, callsBefore: { count: 0, rescued: 0 } },
  );
  return { ...known, verdict, usage: raw.usage };
}
