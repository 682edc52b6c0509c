import { describe, expect, test } from 'vitest';
import { mergeRaw, stillSent } from '../../../../../src/library/wire/request/merge-raw';

describe('mergeRaw', () => {
  test('overrides the body and lists what it replaced', () => {
    expect(mergeRaw({ model: 'a', stream: false }, { stream: true, keep_alive: '5m' })).toEqual({
      body: { model: 'a', stream: true, keep_alive: '5m' },
      overridden: ['stream'],
    });
  });

  test('merges the named nested object key by key, and replaces any other', () => {
    const body = { options: { seed: 1, top_k: 2 }, format: { type: 'object' } };
    expect(mergeRaw(body, { options: { seed: 9, num_gpu: 0 }, format: { x: 1 } }, 'options')).toEqual({
      body: { options: { seed: 9, top_k: 2, num_gpu: 0 }, format: { x: 1 } },
      overridden: ['options.seed', 'format'],
    });
  });

  test('does not change the given body', () => {
    const body = { options: { seed: 1 } };
    mergeRaw(body, { options: { seed: 2 }, more: true }, 'options');
    expect(body).toEqual({ options: { seed: 1 } });
  });

  test('sends a key named __proto__ like any other, without changing the prototype of the body', () => {
    const raw = JSON.parse('{"__proto__":{"stream":true}}') as Record<string, unknown>;
    const { body } = mergeRaw({ model: 'm' }, raw);
    expect(body['stream']).toBeUndefined();
    expect(JSON.stringify(body)).toBe('{"model":"m","__proto__":{"stream":true}}');
  });
});

describe('stillSent', () => {
  test('leaves out what raw removed', () => {
    const sent = { temperature: 'options.temperature', seed: 'options.seed', stop: 'stop' };
    expect(stillSent(sent, { options: { temperature: undefined, seed: 1 }, stop: undefined })).toEqual({
      seed: 'options.seed',
    });
    expect(stillSent(sent, { options: 'none', stop: [] })).toEqual({ stop: 'stop' });
  });
});
