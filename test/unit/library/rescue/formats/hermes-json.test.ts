import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { kindsOf, toPlain, toolsOf } from '../rescue-fixtures';

const TOOLS = toolsOf('weather');
const GHENT = '{"name": "get_weather", "arguments": {"city": "Ghent"}}';
const OSLO = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';

const rescue = (text: string) => {
  const { calls, rejected, content } = rescueToolCalls(text, TOOLS);
  return {
    calls: calls.map(toPlain),
    formats: [...new Set(calls.map(({ format }) => format))],
    repairs: calls.flatMap(({ repairs }) => kindsOf(repairs)),
    reasons: rejected.map(({ reason }) => reason),
    content,
  };
};

const one = { calls: [JSON.parse(GHENT)], formats: ['hermes-json'], content: '' };
const two = { calls: [JSON.parse(GHENT), JSON.parse(OSLO)], formats: ['hermes-json'], content: '' };

describe('hermesJson', () => {
  it.each([
    'function_call',
    'function-call',
    'functioncall',
    'tool_use',
    'tool-use',
    'tool_request',
    'toolcall',
    'tool-call',
    'tools',
    'tool',
    'call',
    'TOOL_CALL',
  ])('reads JSON in the tag %s as well', (name) => {
    expect(rescue(`<${name}>${GHENT}</${name}>`)).toMatchObject({ ...one, repairs: ['tag-alias'] });
  });

  it.each([
    ['nothing', '', ['missing-close-tag']],
    ['a truncated tag', '</tool', ['missing-close-tag']],
    ['the opening tag', '<tool_call>', ['wrong-close-tag']],
    ['another closing tag', '</function>', ['wrong-close-tag']],
  ])('treats %s as the closing tag', (_, closer, repairs) => {
    expect(rescue(`<tool_call>${GHENT}${closer}`)).toMatchObject({ ...one, repairs });
  });

  it('reads a list with 2,000 repairs, but gives up one with 5,000', () => {
    const damaged = GHENT.replace('"name"', 'name');
    // Each is different, because of a loop only some rounds would be read.
    const items = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => damaged.replace('Ghent', `Ghent ${index}`));
    const list = (count: number): string => `<tool_call>[${items(count).join(' ')} ]</tool_call>`;
    expect(rescue(list(2000)).calls).toHaveLength(2000);
    const { calls, rejected } = rescueToolCalls(list(5000), TOOLS);
    expect(calls.length).toBeLessThan(5000);
    expect(rejected).toEqual([
      expect.objectContaining({ reason: 'malformed', detail: expect.stringContaining(', in the list.') }),
    ]);
  });

  it('treats a closing tag of reasoning as the closing tag of the call only when no answer follows', () => {
    expect(rescue(`<tool_call>${GHENT}</think>`)).toMatchObject(one);
    expect(rescue(`<tool_call>${GHENT}</think>Hello.`)).toMatchObject({
      calls: [],
      reasons: ['in-reasoning'],
    });
  });

  it.each([
    ['an array', `<tool_call>[${GHENT}, ${OSLO}]</tool_call>`],
    ['lines', `<tool_call>\n${GHENT}\n${OSLO}\n</tool_call>`],
    ['blocks', `<tool_call>${GHENT}</tool_call>\n<tool_call>${OSLO}</tool_call>`],
    ['blocks of which the first is not closed', `<tool_call>${GHENT}<tool_call>${OSLO}</tool_call>`],
    ['an array without a comma', `<tool_call>[${GHENT} ${OSLO}]</tool_call>`],
    ['an array without an inner brace', `<tool_call>[${GHENT.slice(0, -1)}, ${OSLO}]</tool_call>`],
  ])('reads several calls as %s', (_, text) => {
    expect(rescue(text)).toMatchObject(two);
  });

  it('reads a fence inside the tag', () => {
    expect(rescue(`<tool_call>\n\`\`\`json\n${GHENT}\n\`\`\`\n</tool_call>`)).toMatchObject({
      ...one,
      repairs: ['code-fence'],
    });
  });

  it('reads a call that was encoded as one string', () => {
    expect(rescue(`<tool_call>${JSON.stringify(GHENT)}</tool_call>`)).toMatchObject({
      ...one,
      repairs: ['double-encoded'],
    });
  });

  it('reads the JSON before a closing tag without an opening tag, also with text after it', () => {
    const text = `${GHENT}\n</tool_call>\nI will report back.`;
    expect(rescue(text)).toMatchObject({
      ...one,
      repairs: ['missing-open-tag'],
      content: 'I will report back.',
    });
  });

  it('reads a call after an unreadable one, but no call inside the unreadable one', () => {
    const broken = `<tool_call>{"name": "get_weather", "arguments": {"city": %}}</tool_call>`;
    expect(rescue(`${broken}<tool_call>${GHENT}</tool_call>`)).toMatchObject({
      calls: [JSON.parse(GHENT)],
      reasons: ['malformed'],
    });
    const holding = `<tool_call>{"name": "get_weather", "arguments": {"city": %, "x": "<tool_call>${GHENT}</tool_call>`;
    expect(rescue(holding).calls).toEqual([]);
  });

  it('finds no call in an empty list, and cuts its wrapper', () => {
    expect(rescue('<tool_call>[]</tool_call>Hello.')).toMatchObject({
      calls: [],
      content: 'Hello.',
      reasons: [],
    });
  });

  it.each([
    'name: get_weather',
    'get_weather\n<arg_key>',
    '<function=get_weather>',
    'get_weather(city="x")',
    '',
  ])('does not read the body %j', (body) => {
    const { calls, rejected } = rescueToolCalls(`<tool_call>${body}</tool_call>`, TOOLS, {
      formats: ['hermes-json'],
    });
    expect(calls).toEqual([]);
    expect(rejected.filter(({ reason }) => reason !== 'malformed')).toEqual([]);
  });

  it('rejects declarations of tools and results as such', () => {
    const declaration = JSON.stringify({ type: 'function', function: { ...TOOLS[0] } });
    expect(rescue(`<tools>\n${declaration}\n</tools>`)).toMatchObject({
      calls: [],
      reasons: ['schema-echo'],
    });
    expect(rescue(`<tool_response>${GHENT}</tool_response>`)).toMatchObject({
      calls: [],
      reasons: ['result-echo'],
    });
  });

  it('unwraps arguments nested under "properties", unless the tool has such a parameter', () => {
    const text =
      '<tool_call>{"name": "get_weather", "arguments": {"properties": {"city": "Ghent"}}}</tool_call>';
    expect(rescue(text)).toMatchObject({ ...one, repairs: ['schema-envelope'] });
    const tools = [{ name: 'get_weather', parameters: { properties: { properties: { type: 'object' } } } }];
    expect(rescueToolCalls(text, tools).calls[0]?.arguments).toEqual({ properties: { city: 'Ghent' } });
  });

  it('keeps JSON that names no tool in the content, and ignores elements of similar names', () => {
    expect(rescue('<tool_call>{"city": "Ghent"}</tool_call>')).toMatchObject({
      calls: [],
      reasons: ['malformed'],
      content: '<tool_call>{"city": "Ghent"}</tool_call>',
    });
    expect(rescue('<call>{"from": "Ghent"}</call>')).toMatchObject({ calls: [], reasons: [] });
  });

  it('finds no call after a closing tag inside a string that was cut', () => {
    const shown = `<tool_call>{'name': 'get_weather', 'arguments': {'city': 'x'}}</tool_call>`;
    const text = `<tool_call>{"name": "get_weather", "arguments": {"city": "a </tool_call> ${shown}`;
    expect(rescue(text)).toMatchObject({ calls: [], reasons: ['malformed', 'quoted'] });
  });
});

describe('hermesJson with a program after the JSON', () => {
  const tools = [
    {
      name: 'run_python',
      parameters: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
    },
  ];
  const head = '<tool_call>\n{"name": "run_python", "arguments": {"code": ""}}\n';

  it.each([
    ['lines', '<code>\nimport os\nprint("a")\n</code>\n</tool_call>', 'import os\nprint("a")'],
    [
      'its own closing tag in a string',
      '<code>\nprint("</code>")\n</code>\n</tool_call>',
      'print("</code>")',
    ],
    ['blanks at its ends', '<code>\n\n  x = 1\n\n</code></tool_call>', '\n  x = 1\n'],
    ['no closing tag of the call', '<code>x = 1</code>', 'x = 1'],
    ['nothing', '<code></code></tool_call>', ''],
  ])('reads %s as the argument `code`', (_, rest, code) => {
    const { calls, content } = rescueToolCalls(`${head}${rest}`, tools);
    expect(calls.map(toPlain)).toEqual([{ name: 'run_python', arguments: { code } }]);
    expect(content).toBe('');
  });

  it('rejects a program that was cut, and keeps the calls before it', () => {
    const cut = rescueToolCalls(`${head}<code>\nimport os\nos.rem`, tools);
    expect(cut).toMatchObject({ calls: [], rejected: [{ reason: 'truncated', name: 'run_python' }] });
    const whole = '{"name": "run_python", "arguments": {"code": "1"}}';
    const after = rescueToolCalls(`<tool_call>${whole}\n${head.slice(11)}<code>2`, tools);
    expect(after.calls.map(toPlain)).toEqual([JSON.parse(whole)]);
    expect(after.rejected).toMatchObject([{ reason: 'truncated' }]);
  });

  it('leaves the code in the content when the JSON has the argument', () => {
    const text = '<tool_call>{"name": "run_python", "arguments": {"code": "1"}}</tool_call><code>2</code>';
    const { calls, content } = rescueToolCalls(text, tools);
    expect(calls[0]?.arguments).toEqual({ code: '1' });
    expect(content).toBe('<code>2</code>');
  });
});
