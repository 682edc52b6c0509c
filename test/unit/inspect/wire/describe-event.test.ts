import { describe, expect, test } from 'vitest';
import { readEvents } from '../../../../src/inspect';
import { describeEvent } from '../../../../src/inspect/wire/describe-event';
import { readRecording } from '../../../contract/wire/official-readings';

const wordsOf = (body: string): string[] =>
  readEvents(body, 'events', undefined).map(({ text }) => {
    const { name, brief } = describeEvent(text);
    return `${name} ${brief}`;
  });

describe('describeEvent', () => {
  test.each([
    [
      'llamacpp-messages-text-stream',
      ['message_start "tiny"', 'content_block_start "text"', 'content_block_delta "'],
    ],
    ['llamacpp-responses-tool-results-two-stream', ['response.created "in_progress"']],
    ['ollama-messages-tools-stream', ['message_start "tiny"', 'content_block_start "get_weather"']],
  ])('names the events of %s and what they bring', (name, beginnings) => {
    const words = wordsOf(readRecording(name).response.body);
    for (const beginning of beginnings) {
      expect(words.some((one) => one.startsWith(beginning))).toBe(true);
    }
    expect(words.every((one) => !one.startsWith(' '))).toBe(true);
  });

  test.each([
    ['data: {"choices":[{"delta":{"content":"Hi"}}]}', '', '"Hi"'],
    ['{"message":{"role":"assistant","content":"Hi"},"done":false}', '', '"Hi"'],
    ['event: error\ndata: {"code":500,"error":{"message":"Overloaded"}}', 'error', '"Overloaded"'],
    ['data: {"type":"response.output_text.delta","delta":"a\\nb"}', 'response.output_text.delta', '"a\\nb"'],
    ['data: [DONE]', '', ''],
    [': keep-alive', '', ''],
    ['event: ping\ndata: {"type":"ping"}', 'ping', ''],
    ['data: {"delta":{"__proto__":1}}', '', ''],
  ])('of %s', (text, name, brief) => {
    expect(describeEvent(text)).toEqual({ name, brief });
  });

  test('shows neither hidden characters nor long texts of a hostile server', () => {
    const data = JSON.stringify({ type: 'x', delta: `\u202e\u001b[2J${'long '.repeat(1_000)}` });
    const { name, brief } = describeEvent(`event: ${'\u202e'.repeat(3)}${'n'.repeat(500)}\ndata: ${data}`);
    expect(name).toMatch(/^\\u\{202e\}\\u\{202e\}\\u\{202e\}n{57}…$/);
    for (const hidden of ['\u202e', '\u001b']) expect(brief).not.toContain(hidden);
    expect(brief.length).toBeLessThan(80);
    expect(describeEvent(`data: {"delta":"${'x'.repeat(100_000)}"}`)).toEqual({ name: '', brief: '' });
  });
});
