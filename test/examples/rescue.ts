import { formatToolCalls, parser, rescueToolCalls } from '../../src/library/rescue';

const weather = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const text = 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo",}}';
const report = rescueToolCalls(text, [weather]);
for (const { name, arguments: values, format, start, end, repairs } of report.calls)
  console.log(name, values, format, text.slice(start, end), repairs); // repairs: trailing-comma, missing-close-tag …
for (const { reason, detail, hint } of report.rejected) console.log(reason, detail, hint);
console.log(report.content); // 'Let me look.'
console.log(formatToolCalls(report.calls, 'json-fence')); // the same calls as another model would write them
console.log(parser.json('Sure: {"a": 1,}')); // { a: 1 }
