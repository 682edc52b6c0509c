import { describe, expect, test } from 'vitest';
import { isLoopbackHost } from '../../../../src/demo/http/callers';

describe('isLoopbackHost', () => {
  test.each([
    '127.0.0.1:8080',
    '127.9.9.9',
    'localhost',
    'LOCALHOST:1',
    'app.localhost:3000',
    '[::1]:8080',
    '[::1]',
  ])('accepts %s', (host) => expect(isLoopbackHost(host)).toBe(true));

  test.each([
    undefined,
    '',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evillocalhost',
    '192.168.0.1',
    '0.0.0.0',
    '[::2]',
    'localhost:80:80',
    'user@localhost',
  ])('refuses %s', (host) => expect(isLoopbackHost(host)).toBe(false));
});
