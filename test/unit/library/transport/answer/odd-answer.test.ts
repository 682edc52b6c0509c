import { describe, expect, test } from 'vitest';
import { nameOddAnswer } from '../../../../../src/library/transport/answer/odd-answer';

const asItIs = (text: string): string => text;

function nameOf(body: string, { type, status = 200 }: { type?: string; status?: number } = {}) {
  const headers: [string, string][] = type === undefined ? [] : [['content-type', type]];
  return nameOddAnswer({ status, headers, text: () => body }, asItIs);
}

describe('nameOddAnswer', () => {
  test('names an answer without a body by its status', () => {
    expect(nameOf('')?.words).toBe('200 with an empty body');
    expect(nameOf('', { type: 'text/html' })?.words).toBe('200 with an empty body');
    expect(nameOf('', { status: 204 })?.words).toBe('204, which has no body');
    expect(nameOf('')).not.toHaveProperty('beginning');
  });

  test.each([
    ['ok', 'text/plain', 'text/plain'],
    ['ok', 'TEXT/Plain; charset=utf-8', 'text/plain'],
    ['ok', undefined, 'text'],
    ['ok', 'application/json', 'text'],
    ['ok', 'text/event-stream', 'text'],
    ['ok', 'no media type', 'text'],
    ['ok', `x/${'y'.repeat(1000)}`, 'text'],
    ['\ufeff <!DOCTYPE html>\n<p>', undefined, 'an HTML page'],
    ['<html lang="en">', 'application/json', 'an HTML page'],
    ['<html>', 'text/html', 'text/html'],
    ['<p>', undefined, 'text'],
    ['\ufffd\ufffd', 'image/png', 'image/png'],
  ])('recognizes %j with the type %s as %s', (body, type, kind) => {
    expect(nameOf(body, type === undefined ? {} : { type })?.words).toBe(`200 with ${kind} instead of JSON`);
  });

  test.each([
    ['{"error":', 'text/html'],
    ['{}', 'text/plain'],
    ['[1, 2', 'text/plain'],
    ['42', 'text/plain'],
    ['null', undefined],
    ['data: {"choices"', 'text/plain'],
    [': ping\n\n', 'text/event-stream'],
    ['error: {"code":500}\n\n', 'text/event-stream'],
    ['\n \n', undefined],
  ])('returns nothing for %j, which the protocol reads', (body, type) => {
    expect(nameOf(body, type === undefined ? {} : { type })).toBeUndefined();
  });

  test('quotes the beginning: redacted before it is truncated, in whole characters, trimmed', () => {
    const secret = 'a-secret-that-is-long';
    const headers: [string, string][] = [];
    const body = `\n ok ${'x'.repeat(1990)}${secret}`;
    const odd = nameOddAnswer({ status: 200, headers, text: () => body }, (text) =>
      text.replaceAll(secret, '*'.repeat(secret.length)),
    );
    expect(odd?.beginning).toBe(`ok ${'x'.repeat(1990)}*******`);
    expect(nameOf(`${'x'.repeat(1999)}😀`)?.beginning).toBe('x'.repeat(1999));
    expect(nameOf(' ok \n')?.beginning).toBe('ok');
  });

  test('suggests what to check', () => {
    expect(nameOf('<html>')?.next).toMatch(/^Check the address: .*\/v1.* login\.$/);
    expect(nameOf('')?.next).toMatch(/^Check the address: .*\/v1.* log of the server/);
  });
});
