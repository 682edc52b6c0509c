// Checks what the model can do with the smallest possible requests: a chat, a tool call, the same call as text, an
// embedding. They are sent like those of a lane.
import { t } from '@vscode/l10n';
import { countOf } from '../../inspect';
import type { ChatOptions, Providers } from '../../library';
import { checkArguments, formatToolCalls, rescueToolCalls } from '../../library';
import type { ChatTurn, ToolType } from '../../types';
import type { Connection } from '../connection';
import type { Face } from '../face';
import { asSentence } from '../face';
import type { ServerCheck } from './check-server';
import type { Diagnosis, DiagnosisLine, Level } from './diagnosis';
import { measure } from './diagnosis';
import { quote, toSentence } from './words';

/** Timeout of each request in milliseconds, if the connection has none: a large model may have to be loaded first. */
const LIMIT_MS = 180_000;
/** Leaves room for models that reason before they answer. */
export const MAX_TOKENS = 300;
const MAX_SHOWN = 80;

export const TOOL = {
  name: 'get_weather',
  description: 'The weather in a city now',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
} satisfies ToolType;
export const CALL = { name: TOOL.name, arguments: { city: 'Paris' } };
export const QUESTION = `What is the weather in Paris? Call the tool ${TOOL.name}.`;
/** The format that most chat templates of open models use; rescue reads all other formats as well. */
const TEXT_FORMAT = 'hermes-json';

const checkNames = () => ({
  chat: t('Chat'),
  native: t('Tool call'),
  text: t('Tool call as text'),
  embedding: t('Embedding'),
});

export async function checkModel(
  diagnosis: Diagnosis,
  { model, whyNot, capabilities }: ServerCheck,
): Promise<void> {
  if (whyNot !== undefined) return leaveOut(diagnosis, Object.values(checkNames()), whyNot);
  const { connection } = diagnosis;
  const isEmbedder = capabilities?.includes('embedding') === true && !capabilities.includes('completion');
  if (isEmbedder) {
    leaveOut(
      diagnosis,
      [checkNames().chat, checkNames().native, checkNames().text],
      t('the model is only for embeddings'),
    );
    return checkEmbedding(diagnosis, await makeProvider(diagnosis, model));
  }
  const provider = await makeProvider(diagnosis, model);
  const chats = await checkChat(diagnosis, provider);
  if (chats) {
    await checkNativeCall(diagnosis, provider);
    await checkCallAsText(diagnosis, provider);
  } else {
    leaveOut(diagnosis, [checkNames().native, checkNames().text], t('the chat failed'));
  }
  if (!chats && connection.setting.embedModel === undefined)
    return leaveOut(diagnosis, [checkNames().embedding], t('the chat failed'));
  await checkEmbedding(diagnosis, provider);
}

const addLine = (diagnosis: Diagnosis, name: string, line: Omit<DiagnosisLine, 'section' | 'name'>): void =>
  diagnosis.addLine({ section: 'Model', name, ...line });

function leaveOut(diagnosis: Diagnosis, names: readonly string[], why: string): void {
  for (const name of names) addLine(diagnosis, name, { level: 'left out', text: t('Not asked: {0}.', why) });
}

/** Uses the retry policy of the connection. */
async function makeProvider(diagnosis: Diagnosis, model: string | undefined): Promise<Providers> {
  const connection = withLimit(diagnosis.connection);
  return (await diagnosis.connections.makeProvider({ connection, model, rescueToolCalls: false })).provider;
}

function withLimit(connection: Connection): Connection {
  const { retry } = connection.setting;
  const own = typeof retry === 'object' ? retry : retry === false ? { maxAttempts: 1 } : {};
  return { ...connection, setting: { ...connection.setting, retry: { timeoutMs: LIMIT_MS, ...own } } };
}

async function checkChat(diagnosis: Diagnosis, provider: Providers): Promise<boolean> {
  const turn = await ask(diagnosis, checkNames().chat, provider, {
    messages: [{ role: 'user', content: 'Answer with the one word: ready' }],
  });
  if (!turn) return false;
  const { value, tookMs } = turn;
  const { raw } = value;
  const words = raw.content.trim();
  const said = words === '' ? t('without text') : t('with {0}', quote(words, MAX_SHOWN));
  const who = raw.model === undefined ? t('The model') : quote(raw.model);
  const details = [describeUsage(value), describeAttempts(value)].filter(Boolean).join(', ');
  const isCut = words === '' && raw.finishReason === 'length';
  addLine(diagnosis, checkNames().chat, {
    level: words === '' ? 'warning' : 'ok',
    text: details === '' ? t('{0} answers {1}.', who, said) : t('{0} answers {1}, {2}.', who, said, details),
    tookMs,
    ...(isCut && {
      next: t(
        'The model used up the {0} tokens of this step before it answered, as reasoning models do.',
        MAX_TOKENS,
      ),
    }),
    ...(words === '' && !isCut && { next: asSentence(diagnosis.connections.face.inspectReply) }),
  });
  return true;
}

function describeUsage({ usage }: ChatTurn): string {
  const { promptTokens, completionTokens } = usage;
  return promptTokens === undefined || completionTokens === undefined
    ? ''
    : `${countOf(promptTokens, t('{0} token in'), t('{0} tokens in'))}, ${t('{0} out', completionTokens)}`;
}

const describeAttempts = ({ attempts }: ChatTurn): string =>
  attempts > 1 ? t('{0} attempts', attempts) : '';

async function checkNativeCall(diagnosis: Diagnosis, provider: Providers): Promise<void> {
  const turn = await ask(diagnosis, checkNames().native, provider, {
    tools: [TOOL],
    messages: [{ role: 'user', content: QUESTION }],
  });
  if (!turn) return;
  const { value, tookMs } = turn;
  const { level, text, next } = judgeCall(value, diagnosis.connections.face);
  addLine(diagnosis, checkNames().native, { level, text, tookMs, next });
}

function judgeCall(
  { raw, rescue }: ChatTurn,
  { inspectReply }: Face,
): { level: Level; text: string; next?: string } {
  const [native] = raw.toolCalls;
  if (native) {
    const issues = checkArguments(native.arguments, TOOL.parameters);
    const call = quote(`${native.name}(${toJson(native.arguments)})`, MAX_SHOWN);
    if (native.name === TOOL.name && issues.length === 0)
      return { level: 'ok', text: t('Native: {0}.', call) };
    const next = t('To see what is wrong with the call, {0}.', inspectReply);
    return { level: 'warning', text: t('Native, but not as it was asked for: {0}.', call), next };
  }
  const [rescued] = rescue?.calls ?? [];
  if (rescued) {
    const text = t('Written as text, in the format {0}, and read from it.', quote(rescued.format));
    const next = t('Leave the rescue of tool calls on in the lanes of this connection.');
    return { level: 'warning', text, next };
  }
  const next = t('Choose a model with tools, or {0}.', inspectReply);
  return { level: 'warning', text: t('The model called no tool.'), next };
}

async function checkCallAsText(diagnosis: Diagnosis, provider: Providers): Promise<void> {
  const example = formatToolCalls([{ ...CALL, arguments: { city: 'Oslo' } }], TEXT_FORMAT);
  const turn = await ask(diagnosis, checkNames().text, provider, {
    messages: [
      {
        role: 'system',
        content: `There is a tool ${TOOL.name} (${TOOL.description}). To call it, answer with this and nothing else:\n${example}`,
      },
      { role: 'user', content: `What is the weather in ${CALL.arguments.city}?` },
    ],
  });
  if (!turn) return;
  const { value, tookMs } = turn;
  const [call] = rescueToolCalls(value.raw.content, [TOOL]).calls;
  const text = call
    ? t(
        'The model wrote the call as text, and rescue read it: {0}, in the format {1}.',
        quote(`${call.name}(${toJson(call.arguments)})`, MAX_SHOWN),
        quote(call.format),
      )
    : t('The model did not write a call as text, although the prompt told it to.');
  const next = t('Choose a model that follows such a prompt, unless its native calls work.');
  addLine(diagnosis, checkNames().text, {
    level: call ? 'ok' : 'warning',
    text,
    tookMs,
    ...(!call && { next }),
  });
}

async function checkEmbedding(diagnosis: Diagnosis, provider: Providers): Promise<void> {
  const { signal, connection } = diagnosis;
  diagnosis.doing(t('Asking for an embedding'));
  try {
    const { value, tookMs } = await measure(diagnosis, () => provider.embed('Hello', { signal }));
    const norm = Math.hypot(...value);
    const unit = Math.abs(norm - 1) < 0.001 ? t('unit length') : t('length {0}', norm.toPrecision(3));
    addLine(diagnosis, checkNames().embedding, {
      level: 'ok',
      text: `${countOf(value.length, t('{0} number'), t('{0} numbers'))}, ${unit}.`,
      tookMs,
    });
  } catch (error) {
    signal.throwIfAborted();
    const { what, why, next, code } = await diagnosis.connections.explain(error, connection);
    const isSet = connection.setting.embedModel !== undefined;
    const advice = isSet ? toSentence(next) : t('To use this connection for embeddings, set `embedModel`.');
    const text = toSentence(`${what} ${why}`);
    if (code === 'unsupported') addLine(diagnosis, checkNames().embedding, { level: 'left out', text });
    else
      addLine(diagnosis, checkNames().embedding, { level: isSet ? 'failed' : 'warning', text, next: advice });
  }
}

/** @returns undefined when the request failed, which is reported. */
async function ask(
  diagnosis: Diagnosis,
  name: string,
  provider: Providers,
  options: Pick<ChatOptions, 'messages' | 'tools'>,
): Promise<{ value: ChatTurn; tookMs: number } | undefined> {
  const { signal, connection } = diagnosis;
  diagnosis.doing(t('{0}: waiting for the model', name));
  try {
    const sampling = { maxTokens: MAX_TOKENS };
    return await measure(diagnosis, () => provider.chat({ ...options, sampling, signal }));
  } catch (error) {
    signal.throwIfAborted();
    const { what, why, next } = await diagnosis.connections.explain(error, connection);
    addLine(diagnosis, name, { level: 'failed', text: toSentence(`${what} ${why}`), next: toSentence(next) });
    return undefined;
  }
}

/** Text of a value that a model wrote. */
const toJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
