// Sends what a case asks for with a provider, without a session, and puts the outcome in plain terms.
import type {
  ChatOptions,
  ChatTurn,
  ErrorExplanation,
  Message,
  ProviderCredentials,
} from '../../../src/library';
import {
  HostedApiProvider,
  LocalHostProvider,
  ProviderError,
  RescueScanner,
  rescueToolCalls,
  runAgent,
} from '../../../src/library';
import type { RescueReport } from '../../../src/types';
import type { SeenRequest } from '../servers/http-server';
import type { EmbeddingCase, HistoryCase, PlainCall, TextCase, WireCase } from './field-case';
import type { CutReply } from './play-replies';
import { playReplies } from './play-replies';

export interface Outcome {
  calls: PlainCall[];
  /** Reasons of rejected calls. */
  rejected: string[];
  content?: string;
  reasoning?: string | undefined;
  finishReason?: string | undefined;
  /** Number of requests. */
  attempts?: number;
  /** Code of the error. */
  error?: string;
  explanation?: ErrorExplanation;
  partial?: string | undefined;
  vectors?: number[][];
  /** Every request body. */
  bodies?: unknown[];
  /** What is said about rejected calls, and about the error. */
  words: string[];
}

/** Waits that nobody notices, in the default policy. */
export const SHORT_WAITS = { initialDelayMs: 1, maxDelayMs: 4 };
export const QUESTION: Message = { role: 'user', content: 'How warm is it in Oslo?' };
const PIECES = [1, 7, 50];

const toPlain = ({ name, arguments: value }: PlainCall): PlainCall => ({ name, arguments: value });

const describeRejections = (report: RescueReport | undefined): string[] =>
  (report?.rejected ?? []).map(({ reason, detail, hint = '' }) => `${reason} ${detail} ${hint}`);

const withoutId = (key: string, value: unknown): unknown => (key === 'id' ? undefined : value);

/** @throws if the scanner makes anything else of it in pieces */
export function readText({ text, tools = [] }: TextCase): Outcome {
  const report = rescueToolCalls(text, tools);
  for (const length of PIECES) {
    const scanner = new RescueScanner(tools);
    let passed = 0;
    for (let at = 0; at < text.length; at += length)
      passed += scanner.feed(text.slice(at, at + length)).length;
    const { report: inPieces, rest } = scanner.finish();
    const called = inPieces.calls.reduce((sum, { start, end }) => sum + end - start, 0);
    if (JSON.stringify(inPieces, withoutId) !== JSON.stringify(report, withoutId))
      throw new Error(`In pieces of ${length} it is read otherwise.`);
    if (passed + rest.length + called !== text.length)
      throw new Error(`In pieces of ${length}, some of the text is shown twice or not at all.`);
  }
  return {
    calls: report.calls.map(toPlain),
    rejected: report.rejected.map(({ reason }) => reason),
    content: report.content,
    reasoning: report.reasoning,
    words: describeRejections(report),
  };
}

export async function askChat(item: WireCase, cut?: CutReply): Promise<Outcome> {
  const server = await playReplies([item], cut);
  const { stream, messages = [QUESTION], maxTokens, raw } = item.request ?? {};
  const options: ChatOptions = {
    tools: item.tools,
    messages,
    ...(maxTokens !== undefined && { sampling: { maxTokens } }),
    ...(stream && { onDelta: () => undefined }),
  };
  const provider = makeProvider(item.endpoint, server, { raw });
  return await observe(server, async () => toOutcome(await provider.chat(options)));
}

export async function askEmbeddings(item: EmbeddingCase, cut?: CutReply): Promise<Outcome> {
  const server = await playReplies([item], cut);
  const provider = makeProvider(item.endpoint, server);
  return await observe(server, async () => ({
    calls: [],
    rejected: [],
    vectors: await provider.embedMany(item.texts),
    words: [],
  }));
}

export async function askInTurn(item: HistoryCase, cut?: CutReply): Promise<Outcome> {
  const server = await playReplies(item.replies, cut);
  const provider = makeProvider(item.endpoint, server, { raw: item.request?.raw });
  const { tools = [], way } = item;
  const onDelta = item.request?.stream ? () => undefined : undefined;
  if (way === 'agent') {
    const able = tools.map((tool) => ({ ...tool, execute: () => '4' }));
    return await observe(server, async () => {
      const agent = { provider, tools: able, prompt: 'Answer in one sentence.' };
      const { output } = await runAgent(agent, QUESTION.content, { onDelta });
      return { calls: [], rejected: [], content: output, words: [] };
    });
  }
  return await observe(server, async () => {
    const { assistant, toolCalls } = await provider.chat({ tools, messages: [QUESTION], onDelta });
    const results = toolCalls.map(({ id, name }): Message => ({
      role: 'tool',
      content: '4',
      toolCallId: id,
      toolName: name,
    }));
    return toOutcome(await provider.chat({ tools, messages: [QUESTION, assistant, ...results], onDelta }));
  });
}

function makeProvider(
  endpoint: WireCase['endpoint'],
  { url }: { url: string },
  credentials: ProviderCredentials = {},
): HostedApiProvider | LocalHostProvider {
  const all = { model: 'm', retry: SHORT_WAITS, ...credentials };
  return endpoint === 'local-host'
    ? new LocalHostProvider({ ...all, host: url })
    : new HostedApiProvider({ ...all, host: `${url}/v1`, auth: 'none', apiKey: '' });
}

const toOutcome = ({ assistant, raw, toolCalls, rescue }: ChatTurn): Outcome => ({
  calls: toolCalls.map(toPlain),
  rejected: rescue?.rejected.map(({ reason }) => reason) ?? [],
  content: assistant.content,
  reasoning: raw.reasoning ?? rescue?.reasoning,
  finishReason: raw.finishReason,
  words: describeRejections(rescue),
});

async function observe(
  { requests }: { requests: readonly SeenRequest[] },
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await work().catch((error: unknown): Outcome => {
    if (!(error instanceof ProviderError)) throw error;
    const { what, why, next } = error.explanation;
    return {
      calls: [],
      rejected: [],
      error: error.code,
      explanation: error.explanation,
      partial: error.partial?.content,
      words: [error.message, `${what} ${why} ${next}`],
    };
  });
  return {
    ...outcome,
    attempts: requests.length,
    bodies: requests.map(({ body }) => JSON.parse(body) as unknown),
  };
}
