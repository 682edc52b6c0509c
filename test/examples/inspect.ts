import * as library from '../../src/library';
import { diagnose, judgeSample, judgeTurn, NO_SETTING, tokenRates } from '../../src/inspect/public-api';

const tools = [
  { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
];
const provider = new library.LocalHostProvider({ host: 'http://127.0.0.1:11434', model: 'qwen3:8b' });
const turn = await provider.chat({ tools, messages: [{ role: 'user', content: 'Weather in Oslo?' }] });

const verdict = judgeTurn(turn, { toolNames: ['get_weather'], callsBefore: { count: 0, rescued: 0 } });
console.log(verdict.kind, verdict.detail); // 'native' | 'rescued' | 'malformed' | 'none' | 'answer', and why
console.log(tokenRates({ response: turn.exchange.response, usage: turn.usage, ledger: turn.ledger }));

const findings = diagnose({
  catalog: library.PROVIDER_CATALOG,
  turn,
  tools,
  idleTools: [],
  setting: NO_SETTING,
  schemaIssues: {},
  nearestTools: (name) => library.nearestTools(name, tools),
  cameToNothing: library.cameToNothing,
  nativeHint: (format) => library.rescueFormatInfo(format)?.nativeHints[0]?.text,
  readText: (text) => library.rescueToolCalls(text, tools),
  findMarkup: library.findMarkup,
});
for (const { severity, what, next } of findings) console.log(severity, what, next);

const [judged] = judgeSample(
  [{ calls: [{ tool: 'get_weather', arguments: { city: { $oneOf: ['Oslo', 'oslo'] } } }] }],
  { laneId: 'a', variables: {} },
  {
    calls: turn.toolCalls.map((call) => ({ ...call, step: 1 })),
    text: turn.assistant.content,
    outcome: verdict.kind,
    spent: turn.usage,
    hasRates: false,
  },
  { tools, checkSchema: () => undefined }, // or your validator's sentence on what violates a schema
);
console.log(judged?.verdict, judged?.message);
