import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { toPlain, toolsOf } from '../rescue-fixtures';

const TOOLS = toolsOf('weather');
const GHENT = { name: 'get_weather', arguments: { city: 'Ghent, BE', unit: 'celsius' } };
const ARGUMENTS = '{city:<|"|>Ghent, BE<|"|>,unit:<|"|>celsius<|"|>}';

const rescue = (text: string) => {
  const { calls, rejected, content } = rescueToolCalls(text, TOOLS);
  return { calls: calls.map(toPlain), reasons: rejected.map(({ reason }) => reason), content };
};

describe('gemma4', () => {
  describe.each([
    '<tool_call:get_weather',
    '<|tool_call:get_weather',
    '<|tool_call|:get_weather',
    '<|tool_call call:get_weather',
    '<|tool_call>call get_weather',
    '<|tool_call>call:call:get_weather',
    '<|tool_call>:get_weather',
    '<tool_call>call get_weather',
    '<|tool_call|>call get_weather',
    '<call:get_weather',
    'call get_weather',
    'tool_call:get_weather',
  ])('the damaged opener %j', (opener) => {
    it.each(['<tool_call|>', '</tool_call>', ''])('is read before %j', (closer) => {
      const text = `Hi.\n${opener}${ARGUMENTS}${closer}`;
      expect(rescue(text)).toEqual({ calls: [GHENT], reasons: [], content: 'Hi.' });
    });

    it('stays whole in the content when the tool is unknown', () => {
      const text = `${opener.replace('get_weather', 'get_wether')}${ARGUMENTS}<tool_call|>`;
      expect(rescue(text)).toMatchObject({ calls: [], content: text });
    });
  });

  it('is read in a row, with other arguments and behind reasoning', () => {
    const one = `<tool_call:get_weather${ARGUMENTS}<tool_call|>`;
    const other = '<|tool_call>call get_weather(city="Ghent, BE", unit="celsius")<tool_call|>';
    const text = `<|channel>thought\nI look.\n<channel|>${one}${other}<turn|>`;
    expect(rescue(text)).toEqual({ calls: [GHENT, GHENT], reasons: [], content: '' });
  });

  it('says that a call with a damaged opener was cut', () => {
    expect(rescue('<tool_call:get_weather{city:<|"|>Ghe')).toMatchObject({
      calls: [],
      reasons: ['truncated'],
    });
  });

  it.each([
    'You can call get_weather{city} like this.',
    'call get_weather{city: "Ghent"}',
    'The tag <tool_call:get_weather> does not exist.',
    `\`<tool_call:get_weather${ARGUMENTS}<tool_call|>\` is broken.`,
    'get_weather{city<tool_call|>',
    '<|tool_call>[city]<tool_call|>',
  ])('leaves %j', (text) => {
    expect(rescue(text)).toMatchObject({ calls: [], content: text });
  });
});
