// Compares two runs on the demo server, part by part, as texts.
import { afterAll, afterEach, expect, test } from 'vitest';
import type { CompareForm, ComparePart } from '../../../../src/protocol';
import { QUESTION, TestHost, WEATHER_TOOL } from '../../../support/vscode/host-session';

const host = new TestHost();
afterEach(() => host.reset());
afterAll(() => host.close());

const LANES = [
  { id: 'a', connection: 'demo', model: 'native-call', sampling: { temperature: 0 } },
  { id: 'b', connection: 'demo-hosted', model: 'hermes-text' },
];

async function compare() {
  const one = await host.open({ document: { tools: [WEATHER_TOOL], lanes: LANES } });
  await one.start('chat', QUESTION);
  await one.settled();
  const [left, right] = ['a', 'b'].map((laneId) => ({ laneId, runId: one.runs(laneId)[0]?.id ?? '' }));
  if (!left || !right) throw new Error('There are no runs.');
  return {
    left,
    of: (part: ComparePart, form: CompareForm, places = [left, right] as const) =>
      one.session.past.comparison(places, part, form),
  };
}

test('requests are compared as sent, and with their keys sorted', async () => {
  const { of } = await compare();
  const raw = await of('request', 'raw');
  expect(raw.title).toBe('Lane 1 ↔ Lane 2: request, as received');
  expect(raw.left.name).toBe('lane-1-request.txt');
  expect(JSON.parse(raw.left.text)).toMatchObject({ model: 'native-call', options: { temperature: 0 } });
  const { left, right, title } = await of('request', 'normalised');
  expect(title).toBe('Lane 1 ↔ Lane 2: request');
  expect(left.text.split('\n').slice(0, 3)).toEqual(['{', '  "messages": [', '    {']);
  expect(JSON.parse(right.text)).toMatchObject({ model: 'hermes-text', stream: true });
});

test('replies are compared as received, and normalized for all protocols', async () => {
  const { of } = await compare();
  const raw = await of('reply', 'raw');
  expect(raw.left.text).toMatch(/^\{"model":"native-call"/);
  expect(raw.right.text).toMatch(/^data: /);
  const { left, right } = await of('reply', 'normalised');
  expect(left.text).toContain('"name": "get_weather"');
  expect(right.text).toContain('toolCalls:\n[]');
  expect(right.text).toContain('<tool_call>');
});

test('tool calls are compared as received, and by name and arguments', async () => {
  const { of } = await compare();
  const raw = await of('calls', 'raw');
  expect(raw.left.text).toContain('get_weather (native)\n{"city":"Oslo"}');
  expect(raw.right.text).toContain('get_weather (rescued)\n<tool_call>');
  const { left, right } = await of('calls', 'normalised');
  expect(left.text).toBe('get_weather\n{\n  "city": "Oslo"\n}\n');
  // A rescued call has the same name and arguments.
  expect(right.text).toBe(left.text);
});

test('lanes are compared by their settings', async () => {
  const { of } = await compare();
  const { left, right } = await of('lane', 'normalised');
  expect(JSON.parse(left.text)).toMatchObject({ connection: 'demo', sampling: { temperature: 0 } });
  expect(JSON.parse(right.text)).toMatchObject({ connection: 'demo-hosted', sampling: {} });
  expect(left.text).not.toContain('"id"');
});

test('a run that no longer exists is refused with the next step', async () => {
  const { of, left } = await compare();
  await expect(of('reply', 'raw', [left, { laneId: 'a', runId: 'nobody' }])).rejects.toMatchObject({
    info: { what: 'The run no longer exists.' },
  });
});
