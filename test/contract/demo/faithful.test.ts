// Replays recorded requests to real servers against the demo server. What it answers otherwise on purpose is named here.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../src/demo';
import type { DemoServer } from '../../../src/demo';
import { sendRequest } from '../../unit/demo/raw-request';
import type { RawReply } from '../../unit/demo/raw-request';
import { DIFFERENCES, RECORDINGS } from './recordings';
import { shapeOf, withoutPaths } from './shape';

interface Recording {
  request: { method: string; path: string; headers: Record<string, string>; body: unknown };
  response: { status: number; headers: [string, string][]; body: string };
}

const API_KEY = 'sekrit';
/** The recorded models are called tiny and tiny-plain. */
const asDemoModel = (text: string): string =>
  text.replaceAll(/tiny(?:-plain)?/g, 'native-call').replaceAll('TINY', 'NATIVE-CALL');

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

async function replay(name: string, recording: Recording): Promise<RawReply> {
  const { method, path, headers, body } = recording.request;
  const server = name.startsWith('llamacpp-auth-') ? keyed : open;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return sendRequest(server.localHost + asDemoModel(path), {
    method,
    headers,
    body: body === null ? undefined : asDemoModel(text),
  });
}

/** Everything but what differs with each answer, and the choice between length and chunks. */
function steadyHeaders(headers: readonly [string, string][]): string[] {
  const changing = new Set(['date', 'content-length', 'transfer-encoding']);
  return headers
    .filter(([name]) => !changing.has(name.toLowerCase()))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .toSorted();
}

/** JSON, NDJSON and server-sent events alike: the shapes of the documents, each once, in order of appearance. */
function bodyShapes(body: string, ignored: readonly string[]): string[] {
  const texts = body.startsWith('{') && !body.endsWith('\n') ? [body] : body.split('\n');
  const shapes = texts
    .map((line) => line.replace(/^data: /, ''))
    .filter((line) => line !== '')
    .map((line) => (line === '[DONE]' ? line : shapeOf(withoutPaths(JSON.parse(line), ignored))));
  return [...new Set(shapes)];
}

describe('the demo server, against recorded servers', () => {
  test.each(RECORDINGS)('answers %s with the same status, headers and shape', async (name) => {
    const recording = readRecording(name);
    const reply = await replay(name, recording);
    const ignored = DIFFERENCES.find((difference) => difference.recording === name)?.ignored ?? [];

    expect(reply.status).toBe(recording.response.status);
    expect(steadyHeaders(reply.headers)).toEqual(steadyHeaders(recording.response.headers));
    if (recording.response.status >= 400 || !recording.response.body.includes('{')) {
      expect(reply.body).toBe(asDemoModel(recording.response.body));
    } else {
      expect(bodyShapes(reply.body, ignored)).toEqual(bodyShapes(recording.response.body, ignored));
    }
  });

  const otherwise = DIFFERENCES.flatMap((difference) =>
    difference.answers === undefined ? [] : [{ ...difference, answers: difference.answers }],
  );
  test.each(otherwise)('answers $recording otherwise: $reason', async ({ recording, answers }) => {
    const recorded = readRecording(recording);
    const reply = await replay(recording, recorded);

    expect(reply.status).not.toBe(recorded.response.status);
    expect(reply.status).toBe(answers.status);
    expect(reply.body).toMatch(answers.body);
  });
});
