import { describe, expect, test } from 'vitest';
import { LiveReply } from '../../../../src/session/run/live-reply';
import { createRedactor } from '../../../../src/library';

const KEY = 'sk-canary-0123456789';

const toReply = (secrets: string[] = []): LiveReply => {
  const { value: mask, held } = createRedactor(secrets);
  return new LiveReply({ secrets, mask, held });
};
const write = (content: string[], secrets?: string[]): LiveReply => {
  const reply = toReply(secrets);
  for (const piece of content) reply.add({ content: piece });
  return reply;
};

describe('LiveReply', () => {
  test('is undefined before the first piece; usage alone does not count as a piece', () => {
    const reply = toReply();
    expect(reply.view()).toBeUndefined();
    reply.add({ usage: { completionTokens: 3 } });
    expect(reply.view()).toBeUndefined();
  });

  test('joins the pieces of each part', () => {
    const reply = toReply();
    reply.add({ reasoning: 'Hm', content: '' });
    reply.add({ reasoning: '.', content: 'It ' });
    reply.add({ content: 'is.' });
    expect(reply.view()).toEqual({
      content: 'It is.',
      reasoning: 'Hm.',
      toolCalls: [],
      omitted: { content: 0, reasoning: 0, toolCalls: 0 },
    });
  });

  test('does not begin with half a surrogate pair after dropping earlier text', () => {
    const { content = '', omitted } = write([`${'🌦'.repeat(20_000)}.`]).view() ?? {};
    expect(content).toBe(`${'🌦'.repeat(9_999)}.`);
    expect(omitted?.content).toBe(20_002);
  });

  test('separates two calls whose pieces alternate, and keeps the first name of each', () => {
    const reply = toReply();
    reply.add({ toolCall: { index: 0, name: 'a', arguments: '{"x":' } });
    reply.add({ toolCall: { index: 1, name: 'b' } });
    reply.add({ toolCall: { index: 0, name: 'other', arguments: '1}' } });
    reply.add({ toolCall: { index: 1, arguments: '{' } });
    expect(reply.view()?.toolCalls).toEqual([
      { name: 'a', arguments: '{"x":1}' },
      { name: 'b', arguments: '{' },
    ]);
  });

  test.each([1, 7, 999, 60_000])('keeps the end of a long text, in pieces of %i characters', (size) => {
    const text = Array.from({ length: 12_000 }, (_, index) => `${index} `).join('');
    const reply = toReply([KEY]);
    for (let at = 0; at < text.length; at += size) reply.add({ reasoning: text.slice(at, at + size) });
    const { reasoning, omitted } = reply.view() ?? {};
    expect(reasoning).toBe(text.slice(-20_000));
    expect(omitted?.reasoning).toBe(text.length - 20_000);
  });

  test('does not split a character', () => {
    const { content, omitted } = write([`x${'😀'.repeat(10_000)}y`]).view() ?? {};
    expect(content).toBe(`${'😀'.repeat(9_999)}y`);
    expect(omitted?.content).toBe(3);
  });

  test('limits the number of calls and the length of names and arguments', () => {
    const reply = toReply();
    for (let index = 0; index < 1000; index++) {
      reply.add({ toolCall: { index, name: 'n'.repeat(5_000), arguments: 'a'.repeat(9_000) } });
    }
    const { toolCalls = [], omitted } = reply.view() ?? {};
    expect(toolCalls).toHaveLength(20);
    expect(omitted?.toolCalls).toBe(980);
    expect(new Set(toolCalls.map(({ name }) => name.length))).toEqual(new Set([200]));
    expect(toolCalls[0]?.arguments).toBe(`…${'a'.repeat(4_000)}`);
  });

  test('redacts a secret at whatever position it is split', () => {
    for (let at = 1; at < KEY.length; at++) {
      const reply = write([`It is ${KEY.slice(0, at)}`], [KEY]);
      const early = reply.view()?.content ?? '';
      reply.add({ content: `${KEY.slice(at)}.` });
      expect(early).not.toContain(KEY.slice(0, 4));
      expect(reply.view()?.content).toBe(`It is ${'*'.repeat(KEY.length)}.`);
    }
  });

  const STRANGE = 'sk-"canary"/0123+456=789é';
  test.each([
    ['URL-encoded', encodeURIComponent(STRANGE)],
    ['JSON-escaped', JSON.stringify(STRANGE).slice(1, -1)],
    ['in base64', Buffer.from(`${STRANGE}.`).toString('base64')],
    ['in base64 after a user name', Buffer.from(`user:${STRANGE}.`).toString('base64')],
    ['in lower case', STRANGE.toLowerCase()],
  ])('withholds a secret that arrives character by character, %s', (_, written) => {
    const reply = toReply([STRANGE]);
    // The characters at both ends depend on their neighbours in some encodings.
    const inner = written.slice(8, -6);
    for (const letter of written) {
      reply.add({ content: letter });
      const shown = reply.view()?.content ?? '';
      for (let at = 0; at + 5 < inner.length; at++) expect(shown).not.toContain(inner.slice(at, at + 5));
    }
    reply.add({ content: ' end' });
    expect(reply.view()?.content).toMatch(/\*{12,}.{0,4} end$/);
  });

  test('redacts a secret that begins before the part that is shown', () => {
    const { content } = write([KEY, 'x'.repeat(19_990)], [KEY]).view() ?? {};
    expect(content).toBe('*'.repeat(10) + 'x'.repeat(19_990));
  });

  test('redacts a secret in arguments and names of calls, and in the reasoning', () => {
    const reply = toReply([KEY]);
    reply.add({ reasoning: KEY, toolCall: { index: 0, name: KEY, arguments: `{"key":"${KEY.slice(0, 9)}` } });
    reply.add({ toolCall: { index: 0, arguments: `${KEY.slice(9)}"}` } });
    expect(JSON.stringify(reply.view())).not.toContain('canary');
    expect(reply.view()?.toolCalls[0]?.arguments).toBe(`{"key":"${'*'.repeat(KEY.length)}"}`);
  });

  test('shows withheld text that turns out not to be a secret', () => {
    const reply = write(['The words sk-can'], [KEY]);
    expect(reply.view()?.content).toBe('The words ');
    reply.add({ content: 't' });
    expect(reply.view()?.content).toBe('The words sk-cant');
  });
});
