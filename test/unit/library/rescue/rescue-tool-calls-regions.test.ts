import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import {
  WEATHER,
  CODING,
  GHENT,
  OSLO,
  tag,
  rescue,
  onlyCall,
  onlyRejection,
  kindsOf,
  toPlain,
  toolsOf,
} from './rescue-fixtures';

describe('rescueToolCalls, by the place of the call', () => {
  it('finds no call in inline code at the end of the reply', () => {
    expect(onlyRejection(`Write \`${tag(GHENT)}\``).reason).toBe('example');
  });

  it('does not treat a stray backtick as the start of code that spans a later line', () => {
    const text = `I\`ll look.\n${tag('{"name": "get_weather", "arguments": {"city": "`x`"}}')}`;
    expect(onlyCall(text).arguments).toEqual({ city: '`x`' });
  });

  it('finds no call in a block quote', () => {
    expect(onlyRejection(`> ${tag(GHENT)}\n`).reason).toBe('quoted');
  });

  it('finds marked calls in a fence that ends the reply, and cuts the fence with them', () => {
    const { calls, content } = rescue(`Here:\n\`\`\`xml\n${tag(GHENT)}\n${tag(OSLO)}\n\`\`\`\n`);
    expect(calls.map(toPlain)).toEqual([JSON.parse(GHENT), JSON.parse(OSLO)]);
    expect(kindsOf(calls[0]?.repairs ?? [])).toEqual(['code-fence']);
    expect(content).toBe('Here:');
  });

  it('finds no call in a fence with other text in it or after it', () => {
    expect(onlyRejection(`\`\`\`\n# a comment\n${tag(GHENT)}\n\`\`\``).reason).toBe('example');
    expect(onlyRejection(`\`\`\`\n${tag(GHENT)}\n\`\`\`\nLike that.`).reason).toBe('example');
  });

  it('finds no call in a fence of a programming language', () => {
    expect(onlyRejection(`\`\`\`ts\n${tag(GHENT)}\n\`\`\``).reason).toBe('example');
  });

  it('keeps the text after a marked call', () => {
    const { calls, content } = rescue(`Before.\n\n${tag(GHENT)}\n\nI will report back.`);
    expect(calls).toHaveLength(1);
    expect(content).toBe('Before.\n\nI will report back.');
  });

  it('treats bare JSON as a call only when nothing but calls and closers follow', () => {
    expect(onlyRejection(`${GHENT} is how it looks.`)).toMatchObject({
      reason: 'example',
      name: 'get_weather',
    });
    expect(rescue(`${GHENT}\n${OSLO};\n<|im_end|>`)).toMatchObject({ calls: [{}, {}], content: '' });
    expect(rescue(`${GHENT}\n${tag(OSLO)}`).calls).toHaveLength(2);
  });

  it('removes the blank lines around a cut call, and no others', () => {
    const { content } = rescue(`One.\n\n\nTwo.\n\n${tag(GHENT)}\n${tag(OSLO)}\n\nThree.`);
    expect(content).toBe('One.\n\n\nTwo.\n\nThree.');
  });

  it('keeps a rejected call of a shared wrapper in the content', () => {
    const unknown = '{"name": "get_time", "arguments": {}}';
    const { calls, content, rejected } = rescue(`<tool_call>[${GHENT}, ${unknown}]</tool_call>`);
    expect([calls.length, content, rejected.length]).toEqual([1, unknown, 1]);
  });
});

describe('rescueToolCalls, reasoning', () => {
  it('returns closed reasoning apart from the content', () => {
    const { calls, content, reasoning } = rescue(`<think>\nBergen?\n</think>\n\nLooking.\n${tag(GHENT)}`);
    expect([calls.length, content, reasoning]).toEqual([1, 'Looking.', 'Bergen?']);
  });

  it.each([
    ['<think>', '</think>'],
    ['<thinking>', '</thinking>'],
    ['<scratch_pad>', '</scratch_pad>'],
    ['[THINK]', '[/THINK]'],
    ['<seed:think>', '</seed:think>'],
    ['<mm:think>', '</mm:think>'],
    ['<ifm|think_fast>', '</ifm|think_fast>'],
    ['<reasoning_scratchpad>', '</reasoning_scratchpad>'],
    ['<|thought_start|>', '<|thought_end|>'],
    ['<|channel>thought\n', '<channel|>'],
    ['<|channel|>analysis<|message|>', '<|end|>'],
    ['<Think>', '</THINK>'],
    ['<|START_THINKING|>', '<|END_THINKING|>'],
  ])('rejects a call between %s and %s as reasoning', (open, close) => {
    const report = rescue(`${open}Maybe ${tag(GHENT)}?${close}No.`);
    expect(report.calls).toEqual([]);
    expect(report.rejected.map(({ reason }) => reason)).toEqual(['in-reasoning']);
    expect([report.content, report.reasoning]).toEqual(['No.', `Maybe ${tag(GHENT)}?`]);
  });

  it('counts nested blocks of reasoning', () => {
    const { content, reasoning } = rescue('<think>a<think>b</think>c</think>d');
    expect([content, reasoning]).toEqual(['d', 'a<think>b</think>c']);
  });

  it('treats the text before a closing tag without an opening one as reasoning', () => {
    const { calls, content, reasoning } = rescue(`I plan ${tag(OSLO)} next.\n</think>\n${tag(GHENT)}`);
    expect(calls.map(toPlain)).toEqual([JSON.parse(GHENT)]);
    expect([content, reasoning]).toEqual(['', `I plan ${tag(OSLO)} next.`]);
  });

  it('treats the text before the beginning of a final response as reasoning', () => {
    const report = rescue(
      `I plan ${tag(OSLO)}.\n[BEGIN FINAL RESPONSE]\n${tag(GHENT)}\n[END FINAL RESPONSE]`,
    );
    expect(report.calls.map(toPlain)).toEqual([JSON.parse(GHENT)]);
    expect([report.content, report.reasoning]).toEqual(['', `I plan ${tag(OSLO)}.`]);
  });

  it('ignores a closing tag inside arguments', () => {
    const call = onlyCall(tag('{"name": "get_weather", "arguments": {"city": "</think>"}}'));
    expect(call.arguments).toEqual({ city: '</think>' });
  });

  it('does not treat a longer tag or a tag in code as reasoning', () => {
    const text = 'The <thinker> and `<think>` and `</think>` tags.';
    expect(rescue(text)).toEqual({ calls: [], content: text, rejected: [] });
  });

  it('keeps the text of reasoning that is never closed', () => {
    expect(rescue('<think>Hm, rain')).toEqual({ calls: [], content: '<think>Hm, rain', rejected: [] });
  });

  it('rescues a complete call at the end of open reasoning, and notes it as a repair', () => {
    const call = onlyCall(`<think>I look it up. ${tag(GHENT)}\n`);
    expect(kindsOf(call.repairs)).toEqual(['in-unclosed-reasoning']);
  });

  it('finds no call in open reasoning that goes on, was cut, or has no marker', () => {
    expect(onlyRejection(`<think>I could ${tag(GHENT)} but`).reason).toBe('in-reasoning');
    expect(onlyRejection(`<think>${GHENT}`).reason).toBe('in-reasoning');
    const cut = rescueToolCalls(`<think>${tag(GHENT)}`, WEATHER, { finishReason: 'length' });
    expect(cut.rejected.map(({ reason }) => reason)).toEqual(['in-reasoning']);
  });

  it('rescues marked calls in reasoning with includeReasoning', () => {
    const report = rescueToolCalls(`<think>${tag(GHENT)}</think>Hi.`, WEATHER, { includeReasoning: true });
    expect([report.calls.length, report.content]).toEqual([1, 'Hi.']);
  });
});

describe('rescueToolCalls, cut replies', () => {
  it('reports where a reply was cut, and what helps', () => {
    const text = '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "half a f';
    const rejection = onlyRejection(text, CODING);
    expect(rejection).toMatchObject({ reason: 'truncated', name: 'write_file', start: 0, end: text.length });
    expect(rejection.detail).toBe(
      'The call of `write_file` stops inside the string `content`: the reply was cut. Nothing was run.',
    );
    expect(rejection.hint).toContain('token limit');
  });

  it('looks for no call inside a value that was cut', () => {
    const text = `<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "use ${tag('{}')} or ${tag("{'name': 'git_status'}")} and`;
    expect(rescue(text, CODING).calls).toEqual([]);
  });

  it.each([
    ['an open string', '{"name": "add", "arguments": {"a": 1, "b": "2'],
    ['an open number', '{"name": "add", "arguments": {"a": 1, "b": 2'],
    ['open arguments', '{"name": "add", "arguments": {"a": 1, "b": 2 '],
    ['a comma', '{"name": "add", "arguments": {"a": 1, "b": 2}, '],
    ['no arguments yet', '{"name": "list_tables"'],
  ])('does not complete %s', (_, body) => {
    expect(onlyRejection(`<tool_call>${body}`, toolsOf('data')).reason).toBe('truncated');
  });

  it('supplies the outer brace and the closing tag when the arguments are closed', () => {
    const call = onlyCall('<tool_call>{"name": "get_weather", "arguments": {"city": "Ghent"}');
    expect(kindsOf(call.repairs).toSorted()).toEqual(['missing-close-tag', 'missing-closer']);
  });

  it('supplies neither when the finish reason says that the token limit cut the reply', () => {
    for (const text of [`<tool_call>${GHENT}`, GHENT.slice(0, -1), `\`\`\`json\n${GHENT}`]) {
      const { calls, rejected } = rescueToolCalls(text, WEATHER, { finishReason: 'length' });
      expect([calls.length, rejected.map(({ reason }) => reason)]).toEqual([0, ['truncated']]);
    }
    expect(rescueToolCalls(tag(GHENT), WEATHER, { finishReason: 'length' }).calls).toHaveLength(1);
  });

  it('does not supply a bracket inside the arguments', () => {
    const text = tag('{"name": "add", "arguments": {"a": 1, "b": 2');
    expect(onlyRejection(text, toolsOf('data')).reason).toBe('malformed');
  });
});

describe('rescueToolCalls, options', () => {
  it('looks only for the given formats', () => {
    const { calls } = rescueToolCalls(`${tag(GHENT)}\n${OSLO}`, WEATHER, { formats: ['hermes-json'] });
    expect(calls.map(toPlain)).toEqual([JSON.parse(GHENT)]);
  });
});
