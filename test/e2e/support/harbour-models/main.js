// Offers models to the editor, and asks models and invokes tools of other extensions as the open folder says. A test reads all of it
// from files.
const { appendFileSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const HERMES = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const TOOL = {
  name: 'get_weather',
  description: 'The weather in a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const inFolder = (name) => path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, name);
/** Never half a file. */
function writeWhole(name, value) {
  writeFileSync(inFolder(`${name}.tmp`), JSON.stringify(value));
  renameSync(inFolder(`${name}.tmp`), inFolder(`${name}.json`));
}
const noteEvent = (event) => appendFileSync(inFolder('received.jsonl'), `${JSON.stringify(event)}\n`);

/** What each model answers; `say` reports a text. */
const MODELS = {
  pilot: (say, { isAnswered }) => say(isAnswered ? 'It is cold in Oslo.' : `I look that up.\n${HERMES}`),
  'counts-tokens': (say, { progress }) => {
    say('Aye.');
    const usage = { prompt_tokens: 21, completion_tokens: 4, total_tokens: 25 };
    progress.report(vscode.LanguageModelDataPart.json(usage, 'usage'));
  },
  'empty-call': (_say, { progress }) =>
    progress.report(new vscode.LanguageModelToolCallPart('c1', 'get_weather', {})),
  closed: () => {
    throw new Error('The harbour is closed on Sundays.');
  },
  waits: async (say, { token }) => {
    say('I wait for the tide.');
    await new Promise((resolve) => token.onCancellationRequested(resolve));
    noteEvent({ cancelled: 'waits' });
  },
};

const provider = {
  provideLanguageModelChatInformation: () =>
    Object.keys(MODELS).map((id) => ({
      id,
      name: id,
      family: 'harbour',
      version: '1',
      maxInputTokens: 8000,
      maxOutputTokens: 2000,
      capabilities: { toolCalling: true },
    })),
  provideLanguageModelChatResponse: (
    { id },
    messages,
    { tools = [], modelOptions = {} },
    progress,
    token,
  ) => {
    noteEvent({ asked: id, tools: tools.map(({ name }) => name), modelOptions });
    const say = (text) => progress.report(new vscode.LanguageModelTextPart(text));
    const isAnswered = messages
      .at(-1)
      .content.some((part) => part instanceof vscode.LanguageModelToolResultPart);
    return MODELS[id](say, { isAnswered, progress, token });
  },
  provideTokenCount: () => 1,
};

/** A part by what a caller can see of it. */
function describePart(part) {
  if (part instanceof vscode.LanguageModelTextPart) return { text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart)
    return { callId: part.callId, call: part.name, input: part.input };
  if (part instanceof vscode.LanguageModelThinkingPart) return { thinking: part.value };
  if (part instanceof vscode.LanguageModelDataPart)
    return { mimeType: part.mimeType, data: Buffer.from(part.data).toString() };
  return { unknown: Object.keys(part) };
}

async function send(model, messages, { isWithoutTools, isCancelledSoon, modelOptions = {} }) {
  const source = new vscode.CancellationTokenSource();
  const options = { modelOptions, ...(!isWithoutTools && { tools: [TOOL] }) };
  const parts = [];
  try {
    const { stream } = await model.sendRequest(messages, options, source.token);
    if (isCancelledSoon) setTimeout(() => source.cancel(), 500);
    for await (const part of stream) parts.push(part);
    return { parts };
  } catch (error) {
    return { parts, error: { code: error.code, message: error.message } };
  }
}

/** @param {{ model: string, text: string, result?: string }} asked With `result`, its calls are answered by it. */
async function ask(asked) {
  const [model] = await vscode.lm.selectChatModels({ vendor: 'provider-playground', id: asked.model });
  if (!model) return { error: { message: `there is no model ${asked.model}` } };
  const { LanguageModelChatMessage: Message } = vscode;
  const question = Message.User(asked.text);
  const { parts, error } = await send(model, [question], asked);
  const first = { parts: parts.map(describePart), ...(error && { error }) };
  if (asked.result === undefined) return first;
  const calls = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
  const results = calls.map(
    ({ callId }) =>
      new vscode.LanguageModelToolResultPart(callId, [new vscode.LanguageModelTextPart(asked.result)]),
  );
  const last = await send(model, [question, Message.Assistant(calls), Message.User(results)], asked);
  return { ...first, last: last.parts.map(describePart) };
}

async function askModels() {
  const requests = JSON.parse(readFileSync(inFolder('asked.json'), 'utf8'));
  const listed = await vscode.lm.selectChatModels({ vendor: 'provider-playground' });
  const answers = await Promise.all(requests.map(ask));
  const models = listed.map(({ id, maxInputTokens }) => ({ id, maxInputTokens }));
  writeWhole('answered', { models, answers });
}

/** Invokes the tools of `invoke.json` one after the other, as an agent without a chat does. */
async function invokeTools() {
  const invoked = [];
  for (const { name, input } of JSON.parse(readFileSync(inFolder('invoke.json'), 'utf8'))) {
    try {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      invoked.push({ text: content.map((part) => part.value).join('') });
    } catch (error) {
      invoked.push({ error: { name: error.name, message: error.message } });
    }
  }
  writeWhole('invoked', invoked);
}

exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('harbour', provider),
    vscode.commands.registerCommand('harbour.ask', askModels),
    vscode.commands.registerCommand('harbour.invoke', invokeTools),
  );
};
