import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { toPlain, toolsOf } from '../rescue-fixtures';

const TOOLS = toolsOf('weather');
const GHENT = { name: 'get_weather', arguments: { city: 'Ghent', unit: 'celsius' } };
const ONE_LINE = '{"city": "Ghent", "unit": "celsius"}';
const LINES = '{\n  "city": "Ghent",\n  "unit": "celsius"\n}';

const rescue = (text: string) => {
  const { calls, rejected, content } = rescueToolCalls(text, TOOLS);
  return { calls: calls.map(toPlain), details: rejected.map(({ detail }) => detail), content };
};

const BRACKETED = [
  '[Tool Call: get_weather (ID: call_1)]\nArguments: ⟨⟩',
  '[Tool call: get_weather(⟨⟩)]',
  '[Tool Use: get_weather(⟨⟩)]',
  '[tool_call: get_weather ⟨⟩]',
  '[Tool use: `get_weather`, input: ⟨⟩]',
  '[Called tool: get_weather with arguments ⟨⟩]',
  '[Previous assistant tool use]\nTool: get_weather\nInput: ⟨⟩',
  '[Previous tool call]\nName: get_weather\nArguments:\n```json\n⟨⟩\n```',
];
const BARE = ['Tool: get_weather\nInput: ⟨⟩', 'Tool: `get_weather`\nArguments: ⟨⟩', '→ get_weather(⟨⟩)'];

describe('callingTool', () => {
  it.each([...BRACKETED, ...BARE])('reads %j as a past call that the model imitates', (form) => {
    for (const body of [ONE_LINE, LINES]) {
      const text = form.replace('⟨⟩', body);
      expect(rescue(text)).toEqual({ calls: [GHENT], details: [], content: '' });
      const [call] = rescueToolCalls(text, TOOLS).calls;
      expect(call?.repairs.map(({ kind }) => kind)).toContain('imitated-history');
    }
  });

  it.each(BRACKETED)('reads %j behind prose, and several', (form) => {
    const text = form.replace('⟨⟩', ONE_LINE);
    expect(rescue(`I look.\n\n${text}\n${text}`)).toEqual({
      calls: [GHENT, GHENT],
      details: [],
      content: 'I look.',
    });
  });

  it('keeps the id', () => {
    const { calls } = rescueToolCalls(`[Tool Call: get_weather (ID: call_7)]\nArguments: ${ONE_LINE}`, TOOLS);
    expect(calls.map(({ id }) => id)).toEqual(['call_7']);
  });

  it.each([
    ['behind words that announce a report', 'This is what I did:\n', ''],
    ['with its result', '', '\n[Tool Result for call_1]\n12 degrees'],
  ])('calls nothing %s, and says why', (_, before, after) => {
    const text = `${before}[Tool call: get_weather(${ONE_LINE})]${after}`;
    const { calls, details, content } = rescue(text);
    expect([calls, content]).toEqual([[], text]);
    expect(details).toEqual([expect.stringContaining('history')]);
  });

  it.each(
    [...BRACKETED, ...BARE].flatMap((form) => {
      const text = form.replace('⟨⟩', ONE_LINE);
      const unknown = text.replace('get_weather', 'get_wether');
      const fenced = `\`\`\`\n${text.replaceAll('```', '')}\n\`\`\``;
      return [unknown, fenced, `I ran ${text} before.`, `The log:\n\n${text}\n\nIt went well.`];
    }),
  )('leaves %j', (text) => {
    expect(rescue(text)).toMatchObject({ calls: [], content: text });
  });

  it.each(BARE)('leaves %j behind other words', (form) => {
    const text = `The steps:\n\n${form.replace('⟨⟩', ONE_LINE)}`;
    expect(rescue(text)).toEqual({ calls: [], details: [], content: text });
  });
});
