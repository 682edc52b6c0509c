// What the model does, by the smallest requests that show it: a chat, a tool call, the same call as text, an embedding. They
// go out as those of a lane would. Knows no vscode.
import type { ChatOptions, Providers } from '../../library';
import type { ChatTurn, ToolType } from '../../types';
import type { Connection } from '../connections/connection';
import { loadEngine } from '../load-engine';
import type { ServerCheck } from './check-server';
import type { Diagnosis, DiagnosisLine, Level } from './diagnosis';
import { measure } from './diagnosis';
import { count, quote, toSentence } from './words';

/** For each request, where the connection has no limit of its own: a large model may have to be loaded first. */
const LIMIT_MS = 180_000;
/** Some models think before they answer. */
const MAX_TOKENS = 300;
const MAX_SHOWN = 80;

const TOOL = {
  name: 'get_weather',
  description: 'The weather in a city now',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
} satisfies ToolType;
const CALL = { name: TOOL.name, arguments: { city: 'Paris' } };
/** The format that most chat templates of open models have; the rescue reads every other one as well. */
const TEXT_FORMAT = 'hermes-json';

const NAMES = { chat: 'Chat', native: 'Tool call', text: 'Tool call as text', embedding: 'Embedding' };

export async function checkModel(
  diagnosis: Diagnosis,
  { model, whyNot, capabilities }: ServerCheck,
): Promise<void> {
  if (whyNot !== undefined) return leaveOut(diagnosis, Object.values(NAMES), whyNot);
  const { connection } = diagnosis;
  const isEmbedder = capabilities?.includes('embedding') === true && !capabilities.includes('completion');
  if (isEmbedder) {
    leaveOut(diagnosis, [NAMES.chat, NAMES.native, NAMES.text], 'the model only embeds');
    return checkEmbedding(diagnosis, await makeProvider(diagnosis, model));
  }
  const provider = await makeProvider(diagnosis, model);
  const chats = await checkChat(diagnosis, provider);
  if (chats) {
    await checkNativeCall(diagnosis, provider);
    await checkCallAsText(diagnosis, provider);
  } else {
    leaveOut(diagnosis, [NAMES.native, NAMES.text], 'the chat failed');
  }
  if (!chats && connection.setting.embedModel === undefined)
    return leaveOut(diagnosis, [NAMES.embedding], 'the chat failed');
  await checkEmbedding(diagnosis, provider);
}

const tell = (diagnosis: Diagnosis, name: string, line: Omit<DiagnosisLine, 'section' | 'name'>): void =>
  diagnosis.tell({ section: 'Model', name, ...line });

function leaveOut(diagnosis: Diagnosis, names: readonly string[], why: string): void {
  for (const name of names) tell(diagnosis, name, { level: 'left out', text: `Not asked: ${why}.` });
}

/** With the retries of the connection. */
function makeProvider(diagnosis: Diagnosis, model: string | undefined): Promise<Providers> {
  const { connection } = diagnosis;
  return diagnosis.makeProvider({ connection: withLimit(connection), model, rescueToolCalls: false });
}

function withLimit(connection: Connection): Connection {
  const { retry } = connection.setting;
  const own = typeof retry === 'object' ? retry : retry === false ? { maxAttempts: 1 } : {};
  return { ...connection, setting: { ...connection.setting, retry: { timeoutMs: LIMIT_MS, ...own } } };
}

async function checkChat(diagnosis: Diagnosis, provider: Providers): Promise<boolean> {
  const turn = await ask(diagnosis, NAMES.chat, provider, {
    messages: [{ role: 'user', content: 'Answer with the one word: ready' }],
  });
  if (!turn) return false;
  const { value, tookMs } = turn;
  const { raw } = value;
  const words = raw.content.trim();
  const said = words === '' ? 'without text' : `with ${quote(words, MAX_SHOWN)}`;
  const who = raw.model === undefined ? 'The model' : quote(raw.model);
  const details = [describeUsage(value), describeAttempts(value)]
    .filter(Boolean)
    .map((part) => `, ${part}`)
    .join('');
  const isCut = words === '' && raw.finishReason === 'length';
  tell(diagnosis, NAMES.chat, {
    level: words === '' ? 'warning' : 'ok',
    text: `${who} answers ${said}${details}.`,
    tookMs,
    ...(isCut && {
      next: `It used up the ${MAX_TOKENS} tokens of this step before its answer, as models that think do.`,
    }),
    ...(words === '' && !isCut && { next: 'Look at the reply in a playground.' }),
  });
  return true;
}

function describeUsage({ usage }: ChatTurn): string {
  const { promptTokens, completionTokens } = usage;
  return promptTokens === undefined || completionTokens === undefined
    ? ''
    : `${count(promptTokens, 'token')} in, ${completionTokens} out`;
}

const describeAttempts = ({ attempts }: ChatTurn): string => (attempts > 1 ? `${attempts} attempts` : '');

async function checkNativeCall(diagnosis: Diagnosis, provider: Providers): Promise<void> {
  const question = `What is the weather in Paris? Call the tool ${TOOL.name}.`;
  const turn = await ask(diagnosis, NAMES.native, provider, {
    tools: [TOOL],
    messages: [{ role: 'user', content: question }],
  });
  if (!turn) return;
  const { value, tookMs } = turn;
  const { level, text, next } = await judgeCall(value);
  tell(diagnosis, NAMES.native, { level, text, tookMs, next });
}

async function judgeCall({ raw, rescue }: ChatTurn): Promise<{ level: Level; text: string; next?: string }> {
  const [native] = raw.toolCalls;
  if (native) {
    const { checkArguments } = await loadEngine();
    const issues = checkArguments(native.arguments, TOOL.parameters);
    const call = quote(`${native.name}(${toJson(native.arguments)})`, MAX_SHOWN);
    if (native.name === TOOL.name && issues.length === 0) return { level: 'ok', text: `Native: ${call}.` };
    const next = 'Look at the call in a playground: the inspector says what is wrong with it.';
    return { level: 'warning', text: `Native, but not as it was asked for: ${call}.`, next };
  }
  const [rescued] = rescue?.calls ?? [];
  if (rescued) {
    const text = `Written as text, in the format ${quote(rescued.format)}, and read from it.`;
    const next = 'Leave _Rescue tool calls_ on in the lanes of this connection.';
    return { level: 'warning', text, next };
  }
  const next = 'Look at the reply in a playground, or choose a model with tools.';
  return { level: 'warning', text: 'The model called no tool.', next };
}

async function checkCallAsText(diagnosis: Diagnosis, provider: Providers): Promise<void> {
  const { library } = await loadEngine();
  const example = library.formatToolCalls([{ ...CALL, arguments: { city: 'Oslo' } }], TEXT_FORMAT);
  const turn = await ask(diagnosis, NAMES.text, provider, {
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
  const [call] = library.rescueToolCalls(value.raw.content, [TOOL]).calls;
  const text = call
    ? `Written as told and read: ${quote(`${call.name}(${toJson(call.arguments)})`, MAX_SHOWN)}, in the format ${quote(call.format)}.`
    : 'The model wrote no call as text when it was told to.';
  const next = 'Nothing, where its native calls work; else choose a model that follows such a prompt.';
  tell(diagnosis, NAMES.text, { level: call ? 'ok' : 'warning', text, tookMs, ...(!call && { next }) });
}

async function checkEmbedding(diagnosis: Diagnosis, provider: Providers): Promise<void> {
  const { signal, connection } = diagnosis;
  diagnosis.doing('Asking for an embedding');
  try {
    const { value, tookMs } = await measure(diagnosis, () => provider.embed('Hello', { signal }));
    const norm = Math.hypot(...value);
    const unit = Math.abs(norm - 1) < 0.001 ? 'unit length' : `length ${norm.toPrecision(3)}`;
    tell(diagnosis, NAMES.embedding, {
      level: 'ok',
      text: `${count(value.length, 'number')}, ${unit}.`,
      tookMs,
    });
  } catch (error) {
    signal.throwIfAborted();
    const { what, why, next, code } = await diagnosis.explain(error, connection);
    const isSet = connection.setting.embedModel !== undefined;
    const advice = isSet ? toSentence(next) : 'To embed with this connection, set `embedModel`.';
    const text = toSentence(`${what} ${why}`);
    if (code === 'unsupported') tell(diagnosis, NAMES.embedding, { level: 'left out', text });
    else tell(diagnosis, NAMES.embedding, { level: isSet ? 'failed' : 'warning', text, next: advice });
  }
}

/** @returns undefined when it failed, which is told */
async function ask(
  diagnosis: Diagnosis,
  name: string,
  provider: Providers,
  options: Pick<ChatOptions, 'messages' | 'tools'>,
): Promise<{ value: ChatTurn; tookMs: number } | undefined> {
  const { signal, connection } = diagnosis;
  diagnosis.doing(`${name}: waiting for the model`);
  try {
    const sampling = { maxTokens: MAX_TOKENS };
    return await measure(diagnosis, () => provider.chat({ ...options, sampling, signal }));
  } catch (error) {
    signal.throwIfAborted();
    const { what, why, next } = await diagnosis.explain(error, connection);
    tell(diagnosis, name, { level: 'failed', text: toSentence(`${what} ${why}`), next: toSentence(next) });
    return undefined;
  }
}

/** Of what a model wrote. */
const toJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
