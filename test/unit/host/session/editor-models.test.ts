// Lanes on models of the editor: chats, agent runs, records, exports and evaluations, with a stand-in for the editor alone.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { EditorModelsSource } from '../../../../src/host/editor-models/editor-models-source';
import { wireFile } from '../../../../src/host/wire/wire-text';
import { toMarkdown, toReport } from '../../../../src/inspect';
import { RefusalError } from '../../../../src/session';
import { connect } from '../../../support/connections/connect';
import type { EditorScript } from '../../../support/editor-models/fake-editor-models';
import {
  callPart,
  dataPart,
  editorError,
  FakeEditorModels,
  textPart,
} from '../../../support/editor-models/fake-editor-models';
import type { HostSession } from '../../../support/vscode/host-session';
import { QUESTION, TestHost } from '../../../support/vscode/host-session';

const NAME = { vendor: 'copilot', id: 'gpt' };
const host = new TestHost();
let models = new FakeEditorModels();

beforeEach(async () => {
  await host.reset();
  models = new FakeEditorModels();
  const memory = new Map<string, unknown>();
  const source = new EditorModelsSource({
    models: () => Promise.resolve(models),
    memory: {
      get: (key) => memory.get(key),
      update: (key, value) => Promise.resolve(void memory.set(key, value)),
    },
  });
  host.connections = connect(host.keys, undefined, source);
  // A person has asked for them.
  host.connections.find('vscode-lm');
  await Promise.resolve();
});
afterAll(() => host.close());

const LANE = { id: 'a', connection: 'vscode-lm', model: 'copilot/gpt' };
const open = (script: EditorScript, document: object = {}, lane: object = {}): Promise<HostSession> => {
  models.add(NAME, script);
  return host.open({ document: { ...document }, lane: { ...LANE, ...lane }, limit: 1 });
};

async function run(one: HostSession, kind: 'chat' | 'agent' = 'chat') {
  await one.start(kind, QUESTION);
  await one.settled();
  const last = one.runs().at(-1);
  if (!last?.outcome) throw new Error('The run left no outcome.');
  return { outcome: last.outcome, runId: last.id, turn: last };
}

const hermes = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';

describe('a lane on a model of the editor', () => {
  test('records what was asked and each part that came, and says that there is no wire', async () => {
    const one = await open(
      () => [textPart('Hel'), textPart('lo'), dataPart('usage', { prompt_tokens: 7, completion_tokens: 2 })],
      { system: 'Be brief.' },
      { sampling: { temperature: 0, topP: 0.5, stop: ['end'] } },
    );
    const { outcome, runId } = await run(one);
    expect(outcome.reply?.raw.content).toBe('Hello');
    expect(outcome.reply?.usage).toEqual({ promptTokens: 7, completionTokens: 2 });
    expect(outcome.hasRates).toBe(false);
    const view = await one.ask('wire/read', { laneId: 'a', runId });
    expect(view.copyForms).toEqual([]);
    expect(view.changed).toEqual([expect.stringContaining('The system prompt was sent as')]);
    expect(view.attempts).toMatchObject([
      {
        name: 'attempt-1',
        method: 'sendRequest',
        url: 'vscode-lm:copilot/gpt',
        isWithoutHttp: true,
        files: ['request.json', 'response.events', 'response.raw'],
      },
    ]);
    expect(view.attempts[0]?.response).not.toHaveProperty('status');
    const ways = Object.fromEntries((view.parameters ?? []).map(({ key, way }) => [key, way]));
    expect(ways).toMatchObject({ temperature: 'sent', stop: 'sent', topP: 'refused', seed: 'not-set' });
    const record = await one.session.past.wire(runId);
    const [attempt] = record?.attempts ?? [];
    if (!record || !attempt) throw new Error('Nothing was kept.');
    const events = new TextDecoder().decode(wireFile(record, attempt, 'response.events'));
    expect(events).toMatch(/# 1 · text · "Hel" · \d\.\d{3} s/);
    expect(events).toMatch(/# 3 · data · "usage"/);
  });

  test('is exported without a status, and without a command that sends it again', async () => {
    const one = await open(() => [textPart('Hello')]);
    const { runId } = await run(one);
    const exported = await one.session.past.exported({ laneId: 'a', runId });
    const info = { madeBy: 'test', madeAt: 'now', title: 'x' };
    const markdown = toMarkdown([exported], info);
    expect(markdown).toContain('Passed on inside VS Code: no wire, no status, no finish reason.');
    expect(markdown).not.toContain('HTTP ');
    expect(markdown).toContain('no status');
    expect(markdown).toContain('not reported');
    const report = toReport(exported, info, undefined);
    expect(report).toContain('VS Code tells no status');
    expect(report).not.toContain('curl');
  });

  test('runs as an agent: a rescued call, its result, and the answer', async () => {
    const one = await open(({ messages }) =>
      messages.some(({ content }) => content.some(({ type }) => type === 'result'))
        ? [textPart('It is cold.')]
        : [textPart(`I look.\n${hermes}`)],
    );
    const { outcome } = await run(one, 'agent');
    expect(outcome.reply?.raw.content).toBe('It is cold.');
    const [first] = one.runs();
    expect(first?.outcome?.reply?.toolCalls).toMatchObject([
      { source: 'rescued', arguments: { city: 'Oslo' } },
    ]);
    const last = models.asked.at(-1)?.messages.slice(-2) ?? [];
    const id = first?.outcome?.reply?.toolCalls[0]?.id;
    expect(last).toMatchObject([
      { role: 'assistant', content: [{ type: 'text' }, { type: 'call', callId: id, name: 'get_weather' }] },
      { role: 'user', content: [{ type: 'result', callId: id }] },
    ]);
  });

  test('finds `{}` for a tool that requires arguments', async () => {
    const one = await open(() => [callPart('1', 'get_weather', {})]);
    const { outcome } = await run(one);
    expect(outcome.findings[0]).toMatchObject({
      cause: 'lost-arguments',
      severity: 'error',
      what: expect.stringContaining('VS Code may have replaced broken arguments') as string,
    });
  });

  test('does not find it for a tool that requires none', async () => {
    const tools = [{ name: 'now', parameters: { type: 'object', properties: {} }, mocks: [] }];
    const one = await open(() => [callPart('1', 'now', {})], { tools });
    const { outcome } = await run(one);
    expect(outcome.findings.map(({ cause }) => cause)).not.toContain('lost-arguments');
  });

  test('names what was changed and dropped among its findings', async () => {
    const one = await open(() => [textPart('Hello')], { system: 'Be brief.' }, { sampling: { topP: 0.5 } });
    const { outcome } = await run(one);
    const causes = outcome.findings.map(({ cause }) => cause);
    expect(causes).toContain('request-changed');
    expect(causes).toContain('sampling-dropped');
  });

  test('fails in words when its model is gone, and nothing was sent', async () => {
    const one = await open(() => [], {}, { model: 'copilot/old' });
    const { outcome, runId } = await run(one);
    expect(outcome.error).toMatchObject({
      code: 'refused',
      what: 'VS Code no longer offers the model copilot/old.',
      next: 'Sign in, or pick another.',
    });
    expect(outcome.ledger).toEqual([]);
    expect((await one.ask('wire/read', { laneId: 'a', runId })).attempts).toEqual([]);
  });

  test('keeps what arrived before an error, and asks once', async () => {
    const one = await open(function* () {
      yield textPart('half');
      throw editorError('x', { name: 'ChatRateLimited' });
    });
    const { outcome, runId } = await run(one);
    expect(outcome.error?.title).toBe("VS Code's models answered with “too many requests”");
    expect(outcome.partial?.content).toBe('half');
    expect(models.asked).toHaveLength(1);
    const { attempts } = await one.ask('wire/read', { laneId: 'a', runId });
    expect(attempts).toMatchObject([{ response: { isComplete: false } }]);
  });

  test('refuses raw keys, which nobody would read', async () => {
    const one = await open(() => [textPart('x')], {}, { raw: { seed: 1 } });
    const { outcome } = await run(one);
    expect(outcome.error?.what).toContain('does not support raw keys');
    expect(models.asked).toEqual([]);
  });
});

describe('an evaluation on a model of the editor', () => {
  const document = {
    messages: [{ role: 'user', content: QUESTION }],
    expect: [{ calls: [{ tool: 'get_weather' }] }],
  };

  test('is asked for first, because it uses the quota of the person', async () => {
    const one = await open(() => [textPart(hermes)], { ...document, evaluate: { repeat: 2 } });
    await expect.poll(() => one.session.environment).toBeDefined();
    const refused = await one.ask('evaluation/start', {}).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(RefusalError);
    expect((refused as RefusalError).info).toMatchObject({
      code: 'unconfirmed',
      what: expect.stringContaining(
        "Up to 2 of them count against your quota of VS Code's models.",
      ) as string,
    });
    expect(models.asked).toEqual([]);
    expect(one.session.evaluation.snapshot.plan).toMatchObject({ quotaRequests: 2, needsConfirmation: true });
  });

  test('counts its samples like those of any lane', async () => {
    const one = await open(() => [textPart(hermes)], { ...document, evaluate: { repeat: 2 } });
    await expect.poll(() => one.session.environment).toBeDefined();
    await one.ask('evaluation/start', { isConfirmed: true });
    await one.session.evaluation.ended();
    const { result } = one.session.evaluation.snapshot;
    expect(result?.summary.lanes).toMatchObject([{ passed: 2, outcomes: { rescued: 2 } }]);
    expect(result?.costUsd).toBeFalsy();
  });

  test('stops at a quota that is used up', async () => {
    const one = await open(
      () => {
        throw editorError('x', { name: 'ChatQuotaExceeded' });
      },
      { ...document, evaluate: { repeat: 5 } },
    );
    await expect.poll(() => one.session.environment).toBeDefined();
    await one.ask('evaluation/start', { isConfirmed: true });
    await one.session.evaluation.ended();
    expect(models.asked).toHaveLength(1);
  });
});
