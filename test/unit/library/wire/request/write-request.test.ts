import { describe, expect, test } from 'vitest';
import { writeRequest } from '../../../../../src/library/wire/request/write-request';

const write = (body: Record<string, unknown>) =>
  writeRequest({ body, sent: {}, dropped: [], overridden: [], replaced: ['messages[0]'] });

describe('writeRequest', () => {
  test('serializes the body, and returns whether it requests a stream', () => {
    expect(write({ model: 'm', stream: true })).toMatchObject({
      json: '{"model":"m","stream":true}',
      isStream: true,
      replaced: ['messages[0]'],
    });
    expect(write({ stream: 'yes' }).isStream).toBe(false);
  });

  test.each(['\ud83d', 'a\udc00b', { '\udbff': 1 }])('replaces a lone surrogate in %j', (text) => {
    const { json, replaced } = write({ text });
    expect(json).toContain('\ufffd');
    expect(json).not.toMatch(/\\ud/i);
    expect(replaced).toHaveLength(2);
  });

  test('keeps text that only looks like such an escape', () => {
    const { json, replaced } = write({ text: 'C:\\udata \\ud83d' });
    expect(JSON.parse(json)).toEqual({ text: 'C:\\udata \\ud83d' });
    expect(replaced).toEqual(['messages[0]']);
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  let deep: object = {};
  for (let level = 0; level < 100_000; level += 1) deep = { deep };

  test.each([
    ['raw.format', { messages: [], format: cycle }],
    ['raw.options', { options: { seed: 5n } }],
    ['messages[1]', { messages: [{ content: 'a' }, { content: 5n }] }],
    ['tools[0]', { messages: [], tools: [{ function: { parameters: deep } }] }],
    ['messages', { messages: cycle }],
  ])('refuses %s when JSON cannot hold it', (field, body) => {
    expect(() => write(body)).toThrow(expect.objectContaining({ code: 'invalid-options', field }));
  });
});
