import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { RescueScanner } from '../../../../../src/library/rescue/stream/rescue-scanner';
import { GHENT, OSLO, tag, WEATHER } from '../rescue-fixtures';

const CALL = tag(GHENT);
const OTHER = tag(OSLO);
const WORDS = 'It goes on with words, and then with more of them, for a whole line at least. '.repeat(4);
/** Replies in which later text may change what an earlier place is: whether a call stands there or the text after one. */
const REPLIES: Record<string, string> = {
  'a closing tag of reasoning in unclosed code': `${CALL}\n\`[/THINK] ${WORDS}\` and so on`,
  'a closing tag of reasoning in unclosed code after a call without its closer':
    '<dots_function_call>\n{"name": "get_weather", "arguments": {"city": "to=514527"}}\nnction_call>Action:<|role_sep|>]<|content_text|>```ol_call</think><|plamo:begin_tool_request:plamo|>{"name": "get_weather", "arguments": {"city": "name509735"}}```',
  'a closing tag of reasoning in unclosed code within a tag':
    '<toolls:\n<tool_call:opensource>get_weather<tool_sep:opensource><arg_key:opensource>city\n<arg_value:opensource>null659959</arg_value:opensource>\n<tool_call:><`[/THINK]o|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|><|é1,`',
  'a stray backtick that closes two lines later': `It\`s <tool_call>{"name": \n${CALL}\nand \` so ${WORDS}`,
  'a stray backtick far before on the same line': `It\`s ${WORDS.repeat(3)}<tool_call>{"name":\n${CALL} and \` so ${WORDS}`,
  'a backtick in the arguments of a call': `${tag('{"name": "get_weather", "arguments": {"city": "`<Ghent"}}')} ${OTHER} ${WORDS}`,
  'a backtick in closed reasoning': `<think>a \`b</think>${CALL} <b> \` ${WORDS}`,
  'a tag of reasoning in code': `Use \`<think>\` so. ${CALL} ${WORDS}`,
  'a fence whose first line has a backtick': `~~~a \`\n${WORDS}${CALL} ${WORDS}`,
  'a call that begins in a quote and ends after it': `> a ${CALL.replaceAll(' ', '\n')} ${OTHER} ${WORDS}`,
  'reasoning in reasoning, closed once': `<think>the <think> tag</think> ${CALL} ${WORDS}`,
  'two kinds of reasoning, one of them unclosed': `<think>[THINK]a [TOOL_CALLS]get_weather[ARGS] b[/THINK]${CALL}`,
  'another kind of reasoning after a call in unclosed reasoning': `<think>a ${CALL}[THINK]${WORDS}[/THINK]`,
  'a tag of reasoning in a tool response': `<tool_response>a <think>${WORDS}</tool_response>${CALL} ${WORDS}`,
  'a closing tag of reasoning without white space around it': `${'x'.repeat(200)}<think>${'x'.repeat(40)}</think>${'x'.repeat(60)}${CALL} ${WORDS}`,
  'text that cannot be read yet, in code on its line':
    '<["m_end|>324828"}\n```l`e<tool_response>n<tool_calls:opensource>\n<tool_call:opensource>get_weather<tool_sep:opensource>\n<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>1501621</arg_value:opensource>\n</tool_call:opensource>\n</tool_c": "“748312"}\n```<｜tool▁call▁end｜>ol_call>Observation:|<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>The485259<|tool_arg:end|>\n<|tool_call:end|><|tool_call_start|>The<|plugin|></tool_response>',
  'a fence after a tag': `a>\`\`\`tool_call\n${CALL}`,
  'a stray backtick in reasoning that only a format delimits': `<|channel|>analysis<|message|>a \`b<|end|>${CALL}(\`} ${WORDS}`,
  'a tool name before the text that is read': `([get_weather(city="-0\n> 7")]<start_function_call>call:get_weather{city:<escape>Oslo<escape>}<end_func] ${WORDS}`,
  'reasoning that is marked by words only': `analysisFirst:\n\`\`\`\n> ${WORDS}assistantfinal ${CALL} ${WORDS}`,
  'a closing tag after reasoning that is marked by words only': `analysisFirst.assistantfinal${CALL} </think> ${WORDS}`,
};

/** Returns what is emitted of a reply in chunks of this length, before the end and in all. */
function show(text: string, length: number): { given: string; shown: string } {
  const scanner = new RescueScanner(WEATHER);
  let given = '';
  for (let at = 0; at < text.length; at += length) given += scanner.feed(text.slice(at, at + length));
  return { given, shown: given + scanner.finish().rest };
}

const sort = (text: string): string => Array.from(text).toSorted().join('');

describe('RescueScanner on places that later text may change', () => {
  it.each(Object.keys(REPLIES))('emits no part of a call, and all other text: %s', (name) => {
    const text = REPLIES[name] ?? '';
    const { calls } = rescueToolCalls(text, WEATHER);
    expect(calls.map(({ evidence }) => evidence)).toContain('marker');
    const left = calls.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
    for (const length of [1, 7, 40, 150, 500]) expect(sort(show(text, length).shown)).toBe(sort(left));
  });

  it.each(['It`s so <b> here. ', 'a `b` <think>c</think> ', 'Use `<think>` so. '])(
    'continues to emit text after %s',
    (start) => {
      const { given, shown } = show(`${start}${WORDS}\n\n${WORDS}`, 7);
      expect(shown).toBe(`${start}${WORDS}\n\n${WORDS}`);
      expect(given.length).toBeGreaterThan(WORDS.length);
    },
  );

  it('holds back at most 64 KiB after a stray backtick', () => {
    const { given } = show(`It\`s <tool_call> ${WORDS.repeat(400)}`, 512);
    expect(given.length).toBeGreaterThan(WORDS.length * 400 - 80 * 1024);
  });
});
