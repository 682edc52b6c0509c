// The keys of the environment: each for its origin, and never said.
import { describe, expect, it } from 'vitest';
import { KEYS_VARIABLE, readKeys } from '../../../../src/cli/connections/read-keys';

const read = (text: string): Map<string, string> => readKeys({ [KEYS_VARIABLE]: text });

describe('readKeys', () => {
  it('reads keys by the origin of their address', () => {
    expect(
      read('{"https://api.example.com/v1": " sk-1 ", "http://127.0.0.1:8080": "sk-2", "https://e.org": ""}'),
    ).toEqual(
      new Map([
        ['https://api.example.com', 'sk-1'],
        ['http://127.0.0.1:8080', 'sk-2'],
      ]),
    );
    expect(readKeys({})).toEqual(new Map());
  });

  it.each([
    '{"sk-canary": "https://api.example.com"}',
    '{"https://e.org": {"key": "sk-canary"}}',
    'sk-canary',
    '["sk-canary"]',
    '{"https://e.org": "sk-canary…"}',
    '{"https://e.org": "sk canary"}',
    '{"https://e.org": "sk-canary\\u0000"}',
  ])('refuses %s without saying what is in it', (text) => {
    let message = '';
    try {
      read(text);
    } catch (error) {
      message = JSON.stringify(error) + String(error);
    }
    expect(message).toContain(KEYS_VARIABLE);
    expect(message).not.toContain('canary');
  });

  it('names the origin whose key cannot be sent', () => {
    expect(() => read('{"https://e.org/v1": "sk-canäry"}')).toThrow(
      'The key for https://e.org in PROVIDER_PLAYGROUND_KEYS cannot be sent.',
    );
  });
});
