// The texts for measuring call parsers: typical replies, and what a looping model may write. Identical in every
// run, flat, and stored as one byte per character in V8 where possible.

const CODE =
  'export const total = { count: 1, label: "two" };\nconsole.log(`${total.count} <ok>`);\nexport function pick(n) {\n  return n > 0 && n < 10 ? total.label : "none";\n}\n';

export const TOOLS = ['write_file', 'read_file', 'search'].map((name) => ({
  name,
  description: `The ${name} tool. Works on the workspace.`,
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path'],
  },
}));

const SENTENCES = [
  'The queue is drained by one worker; the notes below say what moved and why that is safe to do. ',
  'Open `src/router.ts` first and read the `route()` function, which gives {code, text} as a rule. ',
  'While a < b && b > c the loop goes on; after that it stops (compare [3] and [4]). ',
  '\n\n',
  '- an item with **strong** words, "quoted" ones, and a path such as D:\\data\\new.csv\n',
  "It isn't settled yet: 12% of all jobs (some 900 a day) end with `ETIMEDOUT`. ",
  '## A heading\n',
  'An example: `const { first, last } = range;` is right, and <i>markup</i> may stand here too. ',
];
const WIDE_SENTENCES = SENTENCES.map((text, index) => (index % 4 === 0 ? text.replace('; ', ' — ') : text));
const CODE_LINES = [
  'let sum = { a: "b\\n" }; // note\n',
  'while (go) { step(); }\n',
  'a plain line of a file\n',
];

/** Flattens V8's tree of concatenated pieces, in the narrowest encoding. */
function flatten(text) {
  const encoding = /[\u0100-\uffff]/.test(text) ? 'utf16le' : 'latin1';
  return Buffer.from(text, encoding).toString(encoding);
}

function fill(sentences, length) {
  let text = '';
  for (let index = 0; text.length < length; index += 1)
    text += sentences[(index * 5 + (index >> 3)) % sentences.length];
  return flatten(text.slice(0, length));
}

const repeat = (unit, length) => flatten(unit.repeat(Math.ceil(length / unit.length)).slice(0, length));

const toJson = (content) =>
  JSON.stringify({ name: 'write_file', arguments: { path: 'src/total.ts', content } });
const toCall = (content) => `<tool_call>\n${toJson(content)}\n</tool_call>`;
const toXml = (content) =>
  `<tool_call>\n<function=write_file>\n<parameter=path>\nsrc/total.ts\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`;

/** Each function takes a length in characters and returns the text and the number of calls in it. */
export const REPLIES = {
  clean: () => ({ text: `I will write it now.\n${toCall(CODE)}\n`, calls: 1 }),
  'clean-xml': () => ({ text: `I will write it now.\n${toXml(CODE)}\n`, calls: 1 }),
  'prose-and-call': (length) => ({
    text: flatten(`${fill(SENTENCES, length)}\n${toCall(CODE)}\n`),
    calls: 1,
  }),
  prose: (length) => ({ text: fill(SENTENCES, length), calls: 0 }),
  'wide-prose': (length) => ({ text: fill(WIDE_SENTENCES, length), calls: 0 }),
  // Only complete lines: jsonrepair cannot handle a bracket that stays open inside a string.
  argument: (length) => {
    const lines = fill(CODE_LINES, length);
    return { text: flatten(`Writing.\n${toCall(lines.slice(0, lines.lastIndexOf('\n')))}`), calls: 1 };
  },
  calls: (length) => ({
    text: flatten(
      Array.from({ length }, (_, step) => `Step ${step}: a few words.\n${toCall(CODE)}\n`).join(''),
    ),
    calls: length,
  }),
};

const after = (head, unit) => (length) => head + repeat(unit, length - head.length);
const only = (unit) => after('', unit);

/** By the repeated unit. None of the texts contains a call. */
export const LOOPS = {
  '{': only('{'),
  '[': only('['),
  '{"a":': only('{"a":'),
  '{ }': only('{} '),
  'x{y}': only('x{y} '),
  '<tool_call>': only('<tool_call>'),
  '<tool_call>{': only('<tool_call>{'),
  'calls in open strings': only('<tool_call>{"name":"write_file","arguments":{"path":"a\n'),
  '</tool_call>': only('</tool_call>'),
  '<write_file>': only('<write_file>'),
  '<write_file><path>': only('<write_file><path>'),
  '<function=': only('<tool_call><function=write_file><parameter=path>'),
  'escaped quotes': after('{"name":"write_file","arguments":{"path":"', '\\"'),
  backslashes: after('{"a":"', '\\'),
  quotes: only('"'),
  'single quotes': after('{', "'"),
  'open fences': only('```json\n{'),
  backticks: only('```'),
  'calls in calls': only('{"name":"write_file","arguments":'),
  '[TOOL_CALLS]': only('[TOOL_CALLS][{"name":'),
  spaces: after('{', ' '),
  'line breaks': only('\n'),
  '<': only('<'),
  commas: after('[', ','),
  slashes: after('{', '/'),
  digits: after('[', '1'),
};
