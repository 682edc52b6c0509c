import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { REQUEST_PARAMS } from '../../../src/protocol';
import type { Remedy } from '../../../src/types';

const check = (remedy: unknown): boolean =>
  v.safeParse(REQUEST_PARAMS['remedy/apply'], { laneId: 'a', runId: 'r', remedy, isSentAgain: true }).success;

describe('a requested remedy', () => {
  test.each<Remedy>([
    { kind: 'rescue-on' },
    { kind: 'tool-choice', choice: 'required' },
    { kind: 'sampling', key: 'numCtx', value: 8_192 },
    { kind: 'sampling', key: 'temperature', value: 0 },
    { kind: 'raw', path: ['options', 'num_ctx'], value: 4_096 },
    { kind: 'raw', path: ['tools'] },
    { kind: 'connection', connectionId: 'ollama', label: 'Ollama', numCtx: 8_192 },
    { kind: 'connection', connectionId: 'ollama', label: 'Ollama' },
    { kind: 'offer-tool', tool: 'get_weather' },
    { kind: 'add-tool', tool: 'get_weather' },
    { kind: 'rename-tool', tool: 'get_weather', to: 'weather' },
  ])('is accepted: %j', (remedy) => {
    expect(check(remedy)).toBe(true);
  });

  test.each([
    undefined,
    {},
    { kind: 'run', command: 'rm' },
    { kind: 'rescue-on', more: 1 },
    { kind: 'tool-choice', choice: 'none' },
    { kind: 'sampling', key: 'seed', value: 1 },
    { kind: 'sampling', key: 'numCtx', value: Number.NaN },
    { kind: 'sampling', key: 'numCtx', value: '8192' },
    { kind: 'raw', path: [], value: 1 },
    { kind: 'raw', path: ['a', 'b', 'c', 'd', 'e'], value: 1 },
    { kind: 'raw', path: ['headers'], value: { authorization: 'x' } },
    { kind: 'connection', connectionId: '', label: 'x' },
    { kind: 'add-tool', tool: 'a b' },
    { kind: 'rename-tool', tool: 'a', to: '../b' },
  ])('is refused if it is invalid: %j', (remedy) => {
    expect(check(remedy)).toBe(false);
  });
});
