import { describe, expect, it } from 'vitest';
import { findCallOpener, isWritingCall } from '../../../../webview/text/call-opener';
import { toLiveReply } from '../samples';

describe('findCallOpener', () => {
  it.each([
    ['Let me look.\n', '<tool_call>\n{"name": "get_w'],
    ['', '<function=get_weather>'],
    ['So ', '[TOOL_CALLS][{"na'],
    ['', '<|python_tag|>'],
    ['<think>Hm.</think>\n', '<|tool_call|>'],
    ['Here it is:\n', '```json\n{"name": "get_weather"'],
    ['Here it is:\n', '{"name": "get_weather", "arg'],
    ['', '[{"name":"get_weather"'],
  ])('finds the beginning of the call in %j', (prose, call) => {
    expect(findCallOpener(prose + call)).toBe(prose.length);
  });

  it.each([
    'It is cold.',
    'A tool call is not needed.',
    '```json\n{"city": "Oslo"}\n```',
    'The object {"name": "Oslo"} is in the line.',
    '[1, 2]',
    '',
  ])('finds none in %j', (text) => {
    expect(findCallOpener(text)).toBe(-1);
  });

  it('finds the first of several', () => {
    expect(findCallOpener('a\n{"name": "x"}\n<tool_call>')).toBe(2);
    expect(findCallOpener('a\n<tool_call>\n{"name": "x"}')).toBe(2);
  });
});

describe('isWritingCall', () => {
  it('is true for a native call and for one in the text', () => {
    expect(isWritingCall(toLiveReply({ content: 'It is' }))).toBe(false);
    expect(isWritingCall(toLiveReply({ content: '<tool_call>' }))).toBe(true);
    expect(isWritingCall(toLiveReply({ toolCalls: [{ name: '', arguments: '' }] }))).toBe(true);
  });

  it('searches the text of one progress once', () => {
    let reads = 0;
    const reply = toLiveReply({});
    Object.defineProperty(reply, 'content', { get: () => (reads++, 'It is') });
    expect([isWritingCall(reply), isWritingCall(reply)]).toEqual([false, false]);
    expect(reads).toBe(1);
  });
});
