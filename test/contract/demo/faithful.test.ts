// Replays recorded requests to real servers against the demo server. Deliberate differences are listed in differences.ts.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../src/demo';
import type { DemoServer } from '../../../src/demo';
import { sendRequest } from '../../unit/demo/raw-request';
import type { RawReply } from '../../unit/demo/raw-request';
import { DIFFERENCES } from './differences';
import type { Difference } from './differences';
import { BUSY_ANSWERS, RECORDINGS, FOLLOW_UPS, OTHER_MODELS } from './recordings';
import { shapeOf, withoutPaths } from './shape';

interface Recording {
  request: { method: string; path: string; headers: Record<string, string>; body: unknown };
  response: { status: number; headers: [string, string][]; body: string };
}

const API_KEY = 'sekrit';
/** Replaces the names of the recorded models (tiny, tiny-plain, tiny-embed) with those of demo models. */
const asDemoModel = (text: string, chatModel = 'native-call'): string =>
  text
    .replaceAll('tiny-embed', 'demo-embed')
    .replaceAll(/tiny(?:-plain)?/g, chatModel)
    .replaceAll('TINY', chatModel.toUpperCase());

let open: DemoServer;
let keyed: DemoServer;

beforeAll(async () => {
  [open, keyed] = await Promise.all([startDemoServer(), startDemoServer({ apiKey: API_KEY })]);
});
afterAll(() => Promise.all([open.close(), keyed.close()]));

function readRecording(name: string): Recording {
  const file = new URL(`../../fixtures/recorded/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}

interface Replay {
  server?: DemoServer;
  model?: string | undefined;
}

async function replay(name: string, recording: Recording, options: Replay = {}): Promise<RawReply> {
  const { method, path, headers, body } = recording.request;
  const server = options.server ?? (name.startsWith('llamacpp-auth-') ? keyed : open);
  const model = options.model ?? differenceOf(name).model;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return sendRequest(server.localHost + asDemoModel(path), {
    method,
    headers,
    body: body === null ? undefined : asDemoModel(text, model),
  });
}

/** The headers without those that change with each answer, and without content-length and transfer-encoding. */
function steadyHeaders(headers: readonly [string, string][]): string[] {
  const changing = new Set(['date', 'content-length', 'transfer-encoding']);
  return headers
    .filter(([name]) => !changing.has(name.toLowerCase()))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .toSorted();
}

/**
 * Shapes of all documents in a body of JSON, NDJSON or server-sent events: each shape once, in order of first appearance.
 */
function bodyShapes(body: string, ignored: readonly string[]): string[] {
  const texts = body.startsWith('{') && !body.endsWith('\n') ? [body] : body.split('\n');
  const shapes = texts
    .map((line) => line.replace(/^data: /, ''))
    .filter((line) => line !== '')
    .map((line) => (line === '[DONE]' ? line : shapeOf(withoutPaths(JSON.parse(line), ignored))));
  return [...new Set(shapes)];
}

/** Like bodyShapes; the shape of a body without JSON is its text. */
const shapesOf = (body: string): string[] => (body.includes('{') ? bodyShapes(body, []) : [body]);

/**
 * The loaded models, and whether each of them is loaded for ever, which the protocol expresses as a date centuries ahead.
 */
function loadedModels(body: string): { names: string[]; isForEver: boolean[] } {
  const { models } = JSON.parse(asDemoModel(body)) as { models: { name: string; expires_at: string }[] };
  const years = models.map(({ expires_at: expiresAt }) => new Date(expiresAt).getUTCFullYear());
  return { names: models.map(({ name }) => name), isForEver: years.map((year) => year > 2300) };
}

function differenceOf(name: string): Partial<Difference> {
  return DIFFERENCES.find((difference) => difference.recording === name) ?? {};
}

function expectSameAnswer(reply: RawReply, recorded: Recording['response'], name: string): void {
  const { ignored = [], text } = differenceOf(name);
  expect(reply.status).toBe(recorded.status);
  expect(steadyHeaders(reply.headers)).toEqual(steadyHeaders(recorded.headers));
  if (text !== undefined) {
    expect(recorded.body).not.toMatch(text);
    expect(reply.body).toMatch(text);
    expect(bodyShapes(reply.body, ignored)).toEqual(bodyShapes(recorded.body, ignored));
  } else if (recorded.status >= 400 || !recorded.body.includes('{')) {
    expect(reply.body).toBe(asDemoModel(recorded.body));
  } else {
    expect(bodyShapes(reply.body, ignored)).toEqual(bodyShapes(recorded.body, ignored));
  }
}

describe('the demo server compared with recorded servers', () => {
  test.each(RECORDINGS)('answers %s with the same status, headers and shape', async (name) => {
    const recording = readRecording(name);
    expectSameAnswer(await replay(name, recording), recording.response, name);
  });

  test.each(OTHER_MODELS)(
    'answers $recording the same way when the request names the model $model',
    async ({ recording, model }) => {
      const recorded = readRecording(recording);
      expectSameAnswer(await replay(recording, recorded, { model }), recorded.response, recording);
    },
  );

  test.each(BUSY_ANSWERS)(
    'answers like $recording when the request names the model “unavailable”',
    async (moment) => {
      const { response } = readRecording(moment.recording);
      const body = JSON.stringify({ model: 'unavailable', messages: [{ role: 'user', content: 'hi' }] });
      const reply = await sendRequest(open.localHost + moment.path, { body });
      expectSameAnswer(reply, response, moment.recording);
    },
  );

  test.each(FOLLOW_UPS)('answers $recording the same way after $after', async ({ recording, after }) => {
    const recorded = readRecording(recording);
    const fresh = await startDemoServer();
    await replay(after, readRecording(after), { server: fresh });
    const reply = await replay(recording, recorded, { server: fresh });
    await fresh.close();

    expectSameAnswer(reply, recorded.response, recording);
    const [ours, theirs] = [reply.body, recorded.response.body].map((body) => loadedModels(body));
    expect(ours?.names).toEqual(theirs?.names);
    expect(ours?.isForEver).toEqual(theirs?.isForEver);
  });

  const otherwise = DIFFERENCES.flatMap((difference) =>
    difference.answers === undefined ? [] : [{ ...difference, answers: difference.answers }],
  );
  test.each(otherwise)('answers $recording differently: $reason', async ({ recording, answers }) => {
    const recorded = readRecording(recording);
    const reply = await replay(recording, recorded);

    const [ours, theirs] = [reply, recorded.response].map(({ status, body }) => [status, shapesOf(body)]);
    expect(ours).not.toEqual(theirs);
    expect(reply.status).toBe(answers.status);
    expect(reply.body).toMatch(answers.body);
  });
});
